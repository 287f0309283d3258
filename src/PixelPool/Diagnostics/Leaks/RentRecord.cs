using System.Diagnostics;

namespace PixelPool.Diagnostics;

/// <summary>What is known of one rent, external charge or reservation: of one that is held now, or of one that leaked.</summary>
public sealed class RentRecord
{
    private readonly RentStack? _stack;

    internal RentRecord(long bytes, RentKind kind, TimeSpan? age, RentStack? stack)
    {
        Bytes = bytes;
        Kind = kind;
        Age = age;
        _stack = stack;
    }

    /// <summary>Bytes that the rent holds: whole blocks, not only the pixels. All that was reserved, of a reservation.</summary>
    public long Bytes { get; }

    /// <summary>What is held.</summary>
    public RentKind Kind { get; }

    /// <summary>How long ago it was rented. Null when that was not recorded (<see cref="LeakTracking"/>).</summary>
    public TimeSpan? Age { get; }

    /// <summary>
    /// The stack of the rent, with files and lines where symbols are there. Null when it was not recorded (<see cref="LeakTracking"/>), and when some of its code
    /// can be unloaded: a stack keeps plug-ins loaded, so only its text is remembered then (<see cref="StackText"/>).
    /// </summary>
    public StackTrace? Stack => _stack?.Stack;

    /// <summary>
    /// The stack of the rent as text, one line for each frame, with files and lines where symbols are there. Null when it was not recorded
    /// (<see cref="LeakTracking"/>).
    /// </summary>
    public string? StackText => _stack?.Text;

    /// <summary>
    /// The first frame of the stack, which called PixelPool: <c>Namespace.Type.Method in file:line 42</c>, without the file where no symbols are. Null
    /// when it was not recorded.
    /// </summary>
    public string? Place => _stack?.Place;

    /// <summary>Size, age and place in one line.</summary>
    public override string ToString() => ByteSize.Format(Bytes)
        + (Age is { } age ? FormattableString.Invariant($", held for {age.TotalSeconds:0.###} s") : string.Empty)
        + (Kind switch { RentKind.ExternalCharge => ", charged at ", RentKind.Reservation => ", reserved at ", _ => ", rented at " })
        + (Place ?? "a place that was not recorded");
}

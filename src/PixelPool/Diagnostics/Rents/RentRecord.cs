using System.Diagnostics;
using PixelPool.Lifetime;

namespace PixelPool.Diagnostics;

/// <summary>Describes one rent, external charge or reservation that is held now, or that leaked.</summary>
public sealed class RentRecord
{
    private readonly RentFacts _rent;

    internal RentRecord(in RentFacts rent, TimeSpan? now)
    {
        _rent = rent;

        // What began after that moment has no age yet.
        Age = now - rent.Trace?.Time is { } age ? TimeSpan.FromTicks(Math.Max(0, age.Ticks)) : null;
    }

    /// <summary>Bytes that the rent holds: whole blocks, not only the pixels. For a reservation, all bytes that were reserved.</summary>
    public long Bytes => _rent.Bytes;

    /// <summary>What is held.</summary>
    public RentKind Kind => _rent.Kind;

    /// <summary>What it is for: the <see cref="RentScope.Tag"/> of the scope that it was rented through. Null without a tag.</summary>
    public string? Tag => _rent.Tag;

    /// <summary>How long ago it was rented. Null when that was not recorded (<see cref="LeakTracking"/>).</summary>
    public TimeSpan? Age { get; }

    /// <summary>
    /// The stack of the rent, with files and lines where there are symbols. Null when it was not recorded (<see cref="LeakTracking"/>), and when some of its
    /// code can be unloaded: a stack keeps plug-ins loaded, so only its text is remembered then (<see cref="StackText"/>).
    /// </summary>
    public StackTrace? Stack => Begun?.Stack;

    /// <summary>
    /// The stack of the rent as text, one line for each frame, with files and lines where there are symbols. Null when it was not recorded
    /// (<see cref="LeakTracking"/>).
    /// </summary>
    public string? StackText => Begun?.Text;

    /// <summary>
    /// The first frame of the stack, which called PixelPool, itself or through the base library: <c>Namespace.Type.Method in file:line 42</c>, without the file where there are no symbols. Null
    /// when it was not recorded.
    /// </summary>
    public string? Place => Begun?.Place;

    /// <summary>
    /// What keeps the memory from being returned, or kept it until the leak was found. When it is a view or a pin, <see cref="Place"/> is the line that rented
    /// the image, which was disposed correctly.
    /// </summary>
    public RentHolder Holder => _rent.Holder;

    /// <summary>
    /// Where the view or the pin was made that holds the memory, in the form of <see cref="Place"/>. If there are several, the oldest. Null when that was not
    /// recorded, or when nothing but the <see cref="RentHolder.Owner"/> holds it.
    /// </summary>
    public string? HolderPlace => Held?.Place;

    /// <summary>The stack on which that view or pin was made, as text. Null when it was not recorded.</summary>
    public string? HolderStackText => Held?.Text;

    /// <summary>Whether the budget is charged for its bytes, and not for those of a reservation that is listed, too.</summary>
    internal bool CountsByItself => _rent.CountsByItself;

    private RentStack? Begun => (RentStack?)_rent.Trace?.Stack;

    private RentStack? Held => (RentStack?)_rent.HolderTrace?.Stack;

    /// <summary>Size, tag, age, place, and what holds it, in one line.</summary>
    public override string ToString()
    {
        string held = ByteSize.Format(Bytes) + (Tag is null ? string.Empty : $" of \"{Tag}\"") + (Age is { } age ? FormattableString.Invariant($", held for {age.TotalSeconds:0.###} s") : string.Empty);
        string taken = Kind switch { RentKind.ExternalCharge => "charged at ", RentKind.Reservation => "reserved at ", _ => "rented at " };
        string place = taken + (Place ?? "a place that was not recorded");
        return Holder == RentHolder.Owner ? $"{held}, {place}"
            : $"{held}: it was disposed, but a view or a pin of it was not, made at {HolderPlace ?? "a place that was not recorded"}; {place}";
    }
}

using System.Diagnostics;

namespace PixelPool.Diagnostics;

/// <summary>What is known of one rent, or of one charge for memory of others: of one that is held now, or of one that leaked.</summary>
public sealed class RentRecord
{
    internal RentRecord(long bytes, bool isExternal, TimeSpan? age, StackTrace? stack, string? place)
    {
        Bytes = bytes;
        IsExternal = isExternal;
        Age = age;
        Stack = stack;
        Place = place;
    }

    /// <summary>Bytes that the rent holds: whole blocks, not only the pixels.</summary>
    public long Bytes { get; }

    /// <summary>True for an <see cref="ExternalCharge"/>: somebody else holds the memory, PixelPool only knows its bytes.</summary>
    public bool IsExternal { get; }

    /// <summary>How long ago it was rented. Null when that was not recorded (<see cref="LeakTracking"/>).</summary>
    public TimeSpan? Age { get; }

    /// <summary>The stack of the rent, with files and lines where symbols are there. Null when it was not recorded (<see cref="LeakTracking"/>).</summary>
    public StackTrace? Stack { get; }

    /// <summary>
    /// The frame of <see cref="Stack"/> that called PixelPool: <c>Namespace.Type.Method in file:line 42</c>, without the file where no symbols are. Null
    /// when it was not recorded.
    /// </summary>
    public string? Place { get; }

    /// <summary>Size, age and place in one line.</summary>
    public override string ToString() => ByteSize.Format(Bytes)
        + (Age is { } age ? FormattableString.Invariant($", held for {age.TotalSeconds:0.###} s") : string.Empty)
        + (IsExternal ? ", charged at " : ", rented at ")
        + (Place ?? "a place that was not recorded");
}

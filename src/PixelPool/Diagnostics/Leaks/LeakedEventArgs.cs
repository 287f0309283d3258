namespace PixelPool.Diagnostics;

/// <summary>Describes a forgotten rent, external charge or reservation: it was not disposed, and a finalizer returned it.</summary>
public sealed class LeakedEventArgs : EventArgs
{
    internal LeakedEventArgs(RentRecord rent) => Rent = rent;

    /// <summary>What leaked. <see cref="RentRecord.Kind"/> tells what it was. Its age is from the moment when it was found.</summary>
    public RentRecord Rent { get; }

    /// <summary>The text of <see cref="Rent"/>.</summary>
    public override string ToString() => Rent.ToString();
}

namespace PixelPool.Diagnostics;

/// <summary>Tells of a rent, an external charge or a reservation that was forgotten: nobody disposed it, a finalizer returned it.</summary>
public sealed class LeakedEventArgs : EventArgs
{
    internal LeakedEventArgs(RentRecord rent) => Rent = rent;

    /// <summary>What leaked: <see cref="RentRecord.Kind"/> says what it was. Its age is that at the moment it was found.</summary>
    public RentRecord Rent { get; }

    /// <summary>That of <see cref="Rent"/>.</summary>
    public override string ToString() => Rent.ToString();
}

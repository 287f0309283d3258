namespace PixelPool.Diagnostics;

/// <summary>Tells of memory that was forgotten: nobody disposed it, a finalizer returned it.</summary>
public sealed class LeakedEventArgs : EventArgs
{
    internal LeakedEventArgs(RentRecord rent) => Rent = rent;

    /// <summary>The rent that leaked. Its age is that at the moment it was found.</summary>
    public RentRecord Rent { get; }
}

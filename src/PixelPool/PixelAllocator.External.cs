namespace PixelPool;

/// <content>Memory of others that shares the budget.</content>
public sealed partial class PixelAllocator
{
    /// <summary>
    /// Charges the budget with memory that somebody else holds: a native decoder's, a bitmap's of another library. Idle blocks go back to the system until all of
    /// it fits into the budget together; so a container does not run out of memory beside a full pool.
    /// </summary>
    /// <remarks>
    /// To be called before that memory is got, with the most that it may be. It is refused, or waits, as <see cref="Rent{TPixel}"/> does; who must not block
    /// charges a scope that was reserved: <see cref="ReserveScopeAsync"/>, <see cref="RentScope.ChargeExternal"/>. Without a budget it is only counted
    /// (<see cref="PixelPoolStatistics.ExternalBytes"/>). The charge costs an object with a finalizer: it is meant for megabytes.
    /// </remarks>
    /// <param name="bytes">Bytes to charge; at least 1.</param>
    /// <returns>The charge; to be disposed when that memory is freed.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is less than 1.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> is over.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ExternalCharge ChargeExternal(long bytes) => ChargeExternalFor(null, bytes);

    internal ExternalCharge ChargeExternalFor(RentScope? scope, long bytes)
    {
        ExternalCharge charge = Charged(scope, bytes, static (allocator, payee, bytes) => new ExternalCharge(allocator._pool, payee, bytes));
        bool begun = false;
        try
        {
            charge.Begin();
            begun = true;
            return charge;
        }
        finally
        {
            if (!begun)
            {
                charge.Dispose();
            }
        }
    }
}

namespace PixelPool.Native;

// Pages between pages that cannot be touched.
internal abstract partial class BlockSource
{
    /// <summary>Takes zeroed pages with one before and one behind them that cannot be touched.</summary>
    /// <param name="bytes">How many are to be touched: whole pages.</param>
    /// <returns>The first of them, or 0 when the system has no memory, or closes no pages.</returns>
    public virtual nint AllocateGuarded(nint bytes) => 0;

    /// <summary>From now on nobody can touch the pages either, and they have no memory. Their addresses stay taken.</summary>
    /// <returns>False when the system refuses one of both.</returns>
    public virtual bool TryCloseGuarded(nint pages, nint bytes) => false;

    /// <summary>Gives the pages back, or the addresses of such that were closed.</summary>
    public virtual void ReleaseGuarded(nint pages, nint bytes)
    {
    }
}

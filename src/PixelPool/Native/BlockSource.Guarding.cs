namespace PixelPool.Native;

// Pages between pages that cannot be touched.
internal abstract partial class BlockSource
{
    /// <summary>Takes zeroed pages with one before and one behind them that cannot be touched.</summary>
    /// <param name="bytes">How many are to be touched: whole pages.</param>
    /// <param name="pages">The first of them.</param>
    /// <returns>False when the system has no memory, or closes no pages.</returns>
    public bool TryAllocateGuarded(nint bytes, out nint pages)
    {
        pages = MapGuarded(bytes);
        return pages != 0;
    }

    /// <summary>From now on nobody can touch the pages either, and they have no memory. Their addresses stay taken.</summary>
    /// <returns>False when the system refuses one of both.</returns>
    public virtual bool TryCloseGuarded(nint pages, nint bytes) => false;

    /// <summary>Gives the addresses of pages that were closed back.</summary>
    public virtual void ReleaseGuarded(nint pages, nint bytes)
    {
    }

    /// <returns>The first of the pages that are to be touched, or 0.</returns>
    protected virtual nint MapGuarded(nint bytes) => 0;
}

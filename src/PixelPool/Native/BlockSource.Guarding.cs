namespace PixelPool.Native;

// Pages between pages that cannot be touched.
internal abstract partial class BlockSource
{
    /// <summary>Takes zeroed pages with one before and one behind them that cannot be touched.</summary>
    /// <param name="bytes">How many are to be touched: whole pages.</param>
    /// <returns>The first of them, or 0 when the system has no memory, or closes no pages.</returns>
    public nint AllocateGuarded(nint bytes)
    {
        nint pages = MapGuarded(bytes);
        if (pages != 0)
        {
            CollectorPressure.Add(bytes);
        }

        return pages;
    }

    /// <summary>From now on nobody can touch the pages either, and they have no memory. Their addresses stay taken.</summary>
    /// <returns>False when the system refuses one of both.</returns>
    public bool TryCloseGuarded(nint pages, nint bytes)
    {
        CollectorPressure.Remove(bytes);
        return TryClose(pages, bytes);
    }

    /// <summary>Gives the addresses of pages that were closed back.</summary>
    public virtual void ReleaseGuarded(nint pages, nint bytes)
    {
    }

    protected virtual nint MapGuarded(nint bytes) => 0;

    protected virtual bool TryClose(nint pages, nint bytes) => false;
}

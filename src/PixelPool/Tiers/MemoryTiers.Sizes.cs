using PixelPool.Budgets;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

// What a rent would hold.
internal sealed partial class MemoryTiers
{
    /// <summary>Bytes that an image would hold, and charge to a budget.</summary>
    /// <param name="width">Pixels of a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>The most that it would be: an array may be shorter, and what the pool is too full for holds no more than it needs.</returns>
    public long GetHeldBytes(int width, int height, int pixelBytes, AllocationOptions options)
    {
        long stride = PixelLayout.CheckStride(width, height, pixelBytes, _options.RowAlignmentBytes);
        options = GetOptions(options);
        long totalBytes = PixelLayout.TotalBytes(stride, height);
        if (totalBytes <= Small.MostBytes)
        {
            return Small.GetHeldBytes(totalBytes);
        }

        int blocks = CountBlocks(stride, height, totalBytes, (options & AllocationOptions.Contiguous) != 0, out _, out bool inOnePiece);
        long pooledBytes = (long)(inOnePiece ? pool.RunLength(blocks) : blocks) * _options.BlockBytes;

        // What the pool can never hold is not pooled.
        return pooledBytes <= pool.MaxPooledBytes ? pooledBytes : totalBytes;
    }

    /// <summary>Those of which one serves such a rent where the budget is full; null: of none.</summary>
    public IPieceSource? PiecesFor(long bytes) => bytes <= Small.MostBytes ? Small.PiecesFor(bytes) : null;

    /// <summary>The same for an image.</summary>
    public IPieceSource? PiecesFor(int width, int height, int pixelBytes) =>
        PiecesFor(PixelLayout.TotalBytes(PixelLayout.CheckStride(width, height, pixelBytes, _options.RowAlignmentBytes), height));
}

using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>What the calling thread returned last, for rents that nothing has to be done for: the shortest way. No lock is taken, and nobody else's memory is looked at.</summary>
/// <param name="pool">Of which threads keep blocks and guards.</param>
/// <param name="options">Those of the allocator.</param>
/// <param name="small">Where small images come from.</param>
internal sealed class CachedMemory(BlockPool pool, PixelAllocatorOptions options, SmallMemory small)
{
    private readonly ThreadCaches _caches = pool.Depot.Caches;
    private readonly int _mostSmallBytes = small.MostBytes;
    private readonly int _blockBytes = pool.BlockBytes;
    private readonly int _moreThan = small.Keeps ? 0 : options.SmallBytes;
    private readonly int _rowAlignmentBytes = options.RowAlignmentBytes;

    /// <summary>False when an image cannot be in one piece that a thread keeps: then the way to the stripes is shorter.</summary>
    /// <remarks>What overflows is found later.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MayHave(int width, int height, int pixelBytes) => unchecked((long)width * height * pixelBytes) <= _blockBytes;

    /// <summary>Takes one piece for an image that the allocator itself pays for.</summary>
    /// <param name="width">Pixels of a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="layout">How the rows lie in it.</param>
    /// <returns>A guard with one reference; null when the thread keeps nothing that serves, or more is to be done than to hand it out.</returns>
    /// <remarks>Compiled once, with all that such a rent does, for the reason why others are.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public LifetimeGuard? TryTakeImage(int width, int height, int pixelBytes, AllocationOptions options, out PixelLayout layout)
    {
        // With rows that are no longer than a block the product cannot overflow.
        long stride = PixelLayout.StrideOf(width, pixelBytes, _rowAlignmentBytes);
        if (width > 0 && height > 0 && stride <= _blockBytes)
        {
            LifetimeGuard? guard = TryTakeMemory(stride * height, options);
            if (guard is not null)
            {
                int rowsPerBlock = stride * height > _mostSmallBytes ? PixelLayout.RowsIn(_blockBytes, stride, height) : height;
                layout = new PixelLayout(width, height, (int)stride, rowsPerBlock, isDivided: false);
                return guard;
            }
        }

        layout = default;
        return null;
    }

    /// <summary>The same for contiguous memory.</summary>
    /// <param name="bytes">Bytes; 0 or more.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryTakeMemory(long bytes, AllocationOptions options)
    {
        // Nothing is to be done for such options but to hand out what there is.
        if (!ProcessBarrier.IsSupported || bytes > _blockBytes || bytes <= _moreThan || (options & ~AllocationOptions.Contiguous) != 0 || _caches.Mine is not { } cache)
        {
            return null;
        }

        // One call, so that all of it is compiled into this one.
        int size = bytes > _mostSmallBytes ? Magazines.Block : small.SizeOf((int)bytes);
        return (size == Magazines.None ? null : cache.TryRent(size, (int)bytes)) ?? (size == Magazines.Block ? null : small.TryTakeOtherCached(cache, size, (int)bytes));
    }
}

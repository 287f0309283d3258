using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>What the calling thread returned last, for rents that nothing has to be done for: the shortest way. No lock is taken, and nobody else's memory is looked at.</summary>
internal sealed class KeptMemory
{
    private readonly MemoryBudget? _budget;
    private readonly ThreadCaches _caches;
    private readonly SmallMemory _small;
    private readonly int _smallBytes;
    private readonly int _blockBytes;
    private readonly int _moreThan;

    /// <param name="pool">Of which threads keep blocks and guards.</param>
    /// <param name="budget">The allocator's budget, if it has one.</param>
    /// <param name="smallBytes">The most bytes of a small image.</param>
    /// <param name="small">Where these come from.</param>
    public KeptMemory(BlockPool pool, MemoryBudget? budget, int smallBytes, SmallMemory small)
    {
        _budget = budget;
        _caches = pool.Depot.Caches;
        _smallBytes = smallBytes;
        _blockBytes = pool.BlockBytes;
        _moreThan = small.Keeps ? 0 : smallBytes;
        _small = small;
    }

    /// <summary>Whether a thread may keep what such a rent returns: one piece, that the allocator itself pays for, and that is not to be cleared.</summary>
    /// <param name="bytes">Bytes of the rent.</param>
    /// <param name="options">What it asks for.</param>
    /// <param name="payer">What pays for it, if anything does.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MayServe(long bytes, AllocationOptions options, RentBudget? payer) =>
        ProcessBarrier.IsSupported && bytes <= _blockBytes && bytes > _moreThan && payer == _budget && (options & AllocationOptions.Clean) == 0;

    /// <summary>Takes one piece that the calling thread keeps, after <see cref="MayServe"/>.</summary>
    /// <param name="stride">Bytes of a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="rowsPerBlock">Rows that the piece holds.</param>
    /// <returns>A guard with one reference, or null.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public LifetimeGuard? TryTake(long stride, int height, out int rowsPerBlock)
    {
        rowsPerBlock = height;
        if (_caches.Mine is not { } cache)
        {
            return null;
        }

        long bytes = stride * height;
        if (bytes <= _smallBytes && !_small.NeedsBlock(bytes))
        {
            return _small.TryTakeKept(cache, bytes);
        }

        rowsPerBlock = PixelLayout.RowsIn(_blockBytes, stride, height);
        return cache.TryRentBlock(_budget is null ? 0 : _blockBytes);
    }
}

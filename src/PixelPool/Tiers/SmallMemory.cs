using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>
/// Where small images come from: arrays or slabs. When more images live at once than the shared pool of arrays could keep, arrays would be left to the collector by
/// the thousand: then slabs serve what arrays would have.
/// </summary>
/// <param name="pool">The depot of guards and blocks, and the accounts.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
/// <param name="options">Those of the allocator.</param>
internal sealed class SmallMemory(BlockPool pool, MemoryBudget? budget, PixelAllocatorOptions options)
{
    // ArrayPool<byte>.Shared keeps 32 arrays of a length for each processor.
    private static readonly int s_manyRents = Math.Max(256, 32 * Environment.ProcessorCount);

    private readonly ArrayTier _arrays = new(pool, budget, options);
    private volatile SlabTier? _slabs = options.UsesSlabs(IntPtr.Size) ? new SlabTier(pool, budget, options.RowAlignmentBytes) : null;

    /// <summary>The most bytes of a rent that is served here. Where pieces of slabs serve, that is half a block: what is larger gets a whole one.</summary>
    public readonly int MostBytes = options.UsesSlabs(IntPtr.Size) ? Math.Min(options.SmallBytes, pool.BlockBytes / 2) : options.SmallBytes;

    /// <summary>Whether pieces of slabs serve, and arrays only where no block can be had.</summary>
    public readonly bool PrefersSlabs = options.UsesSlabs(IntPtr.Size);

    /// <summary>Whether threads may keep what they returned.</summary>
    public bool Keeps => PrefersSlabs ? _slabs!.Keeps : _arrays.Keeps;

    /// <summary>The most bytes that a small image holds.</summary>
    /// <param name="bytes">Bytes of the image: at most <see cref="MostBytes"/>.</param>
    /// <remarks>Also with slabs: where no block can be had to cut, an array serves, which has to fit into what was reserved for it.</remarks>
    public long GetHeldBytes(long bytes) => Math.Max(_arrays.GetHeldBytes((int)bytes), PrefersSlabs ? _slabs!.Find(bytes).PieceBytes : 0);

    /// <summary>Those of which one serves such a rent where the budget is full; null: of none.</summary>
    /// <param name="bytes">Bytes of the rent: at most <see cref="MostBytes"/>.</param>
    public IPieceSource? PiecesFor(long bytes) => PrefersSlabs ? _slabs!.Find(bytes) : null;

    /// <summary>As which size a thread keeps what serves such a rent, as a rule; <see cref="Magazines.None"/> if it does not.</summary>
    /// <param name="bytes">Bytes of the rent: at most <see cref="MostBytes"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int SizeOf(int bytes) => PrefersSlabs ? _slabs!.CachedSizeOf(bytes) : ArrayTier.CachedSizeOf(bytes);

    /// <summary>What else the calling thread may keep for such a rent, if it keeps it.</summary>
    /// <param name="cache">What it keeps.</param>
    /// <param name="size">What <see cref="SizeOf"/> said: of that there is none.</param>
    /// <param name="bytes">Bytes of the rent.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public LifetimeGuard? TryTakeOtherCached(ThreadCache cache, int size, int bytes)
    {
        if (PrefersSlabs)
        {
            return null;
        }

        // Sizes that fill an array, as 256 x 256 pixels do, mostly leave no room to read beside it: what was rented for them then is an array of the next length.
        int longer = ArrayTier.CachedSizeOf(bytes + (2 * ArrayMargin.Bytes));
        int piece = _slabs is { } slabs && bytes <= pool.BlockBytes / 2 ? slabs.CachedSizeOf(bytes) : Magazines.None;
        return (longer == size || longer == Magazines.None ? null : cache.TryRent(longer, bytes)) ?? (piece == Magazines.None ? null : cache.TryRent(piece, bytes));
    }

    /// <summary>Takes an array, or a piece of a slab. Where no block can be had to cut, an array serves.</summary>
    /// <param name="bytes">Bytes of the rent: at most <see cref="MostBytes"/>.</param>
    /// <param name="payer">What pays for it, if anything does.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 otherwise.</param>
    /// <returns>Null when the budget has no room for an array either. One is up to twice as long as the rent.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public LifetimeGuard? TryTake(long bytes, RentBudget? payer, out long neededBytes)
    {
        neededBytes = 0;
        if (Keeps && payer == budget)
        {
            pool.Depot.Caches.ClaimIfOftenMissed();
        }

        LifetimeGuard? guard = (PrefersSlabs ? _slabs!.TryTake(bytes, payer) : TryTakeOneOfMany(bytes, payer)) ?? _arrays.TryTake((int)bytes, payer, out neededBytes);
        if (neededBytes != 0 && PrefersSlabs)
        {
            // Whoever waits may be given a piece, for which its scope needs room. It may be longer than an array.
            neededBytes = Math.Max(neededBytes, _slabs!.Find(bytes).PieceBytes);
        }

        return guard;
    }

    /// <summary>Ends the common rent of small memory, if the calling thread keeps it for its next one.</summary>
    /// <returns>False when it does not, or the rent is of another tier.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryCache(LifetimeGuard guard) =>
        guard.Tier is ArrayTier arrays ? arrays.Keeps && arrays.TryCache(guard) : guard.Tier is SlabTier { Keeps: true } slabs && slabs.TryCache(guard);

    private LifetimeGuard? TryTakeOneOfMany(long bytes, RentBudget? payer)
    {
        if (!_arrays.Keeps || payer is not null || bytes > pool.BlockBytes / 2 || pool.Guards.Count < s_manyRents)
        {
            return null;
        }

        // Where two threads are the first ones, what one of them rents shares no block with anything that comes later.
        return (_slabs ??= new SlabTier(pool, budget, options.RowAlignmentBytes)).TryTake(bytes, null);
    }
}

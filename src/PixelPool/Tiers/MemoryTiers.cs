using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>The tiers of an allocator, and which of them serves a request: by the bytes it needs, and by what fits.</summary>
/// <param name="pool">Of which they take guards, and to which they give their accounts.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
/// <param name="options">Those of the allocator.</param>
/// <param name="owner">The type that exceptions name when it was disposed.</param>
internal sealed partial class MemoryTiers(BlockPool pool, MemoryBudget? budget, PixelAllocatorOptions options, string owner)
{
    private readonly PixelAllocatorOptions _options = options;
    private readonly BlockTier _blocks = new(pool, budget);
    private readonly PooledTier _runs = new(pool, budget, inOnePiece: true);
    private readonly UnpooledTier _unpooled = new(pool, budget, options.UseHugePages);
    private readonly ExternalTier _external = new(pool, budget, RentKind.ExternalCharge, charges: true);
    private readonly ReservationTier _reservations = new(pool, budget);
    private readonly ExternalTier _wrapped = new(pool, budget, RentKind.Memory, charges: false);
    private readonly ExternalTier _chargedWrapped = new(pool, budget, RentKind.Memory, charges: true);

    /// <summary>Where small images come from.</summary>
    public readonly SmallMemory Small = new(pool, budget, options);

    /// <summary>Takes memory for an image.</summary>
    /// <param name="width">Pixels of a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="payer">What pays for it, if anything does.</param>
    /// <param name="layout">How the rows lie in it.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 on success.</param>
    /// <returns>A guard with one reference, or null when the budget has no room.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryTakeImage(
        int width, int height, int pixelBytes, AllocationOptions options, RentBudget? payer, out PixelLayout layout, out long neededBytes)
    {
        long stride = PixelLayout.CheckStride(width, height, pixelBytes, _options.RowAlignmentBytes);
        LifetimeGuard? guard = TryTake(stride, height, GetOptions(options), payer, out int rowsPerBlock, out neededBytes);
        layout = guard is null ? default : new PixelLayout(width, height, (int)stride, rowsPerBlock, isDivided: guard.BlockCount > 1);
        return guard;
    }

    /// <summary>Takes contiguous memory.</summary>
    /// <param name="bytes">Bytes; 0 or more.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="payer">What pays for it, if anything does.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 on success.</param>
    /// <returns>A guard with one reference, or null when the budget has no room.</returns>
    public LifetimeGuard? TryTakeMemory(long bytes, AllocationOptions options, RentBudget? payer, out long neededBytes) =>
        TryTake(bytes, 1, GetOptions(options) | AllocationOptions.Contiguous, payer, out _, out neededBytes);

    /// <summary>Takes one whole block, also where its bytes would be small memory. It begins at a page. Where the pool is full it is from the system.</summary>
    /// <param name="payer">What pays for it, if anything does.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 on success.</param>
    /// <returns>A guard with one reference, or null when the budget has no room.</returns>
    public LifetimeGuard? TryTakeBlock(RentBudget? payer, out long neededBytes)
    {
        Throw.IfDisposed(pool.IsDisposed, owner);
        int bytes = pool.BlockBytes;
        LifetimeGuard? guard = TryTakeBlocks(bytes, 1, bytes, contiguous: true, payer, out _, out neededBytes);
        if (guard is { NeedsPreparation: true })
        {
            Prepare(guard, AllocationOptions.None, bytes, bytes);
        }

        return guard;
    }

    /// <summary>Charges bytes for which no memory is got here.</summary>
    /// <param name="bytes">How many.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <param name="reserve">True for a part of the budget that a scope reserves; false for memory that others hold.</param>
    /// <returns>A guard with one reference, or null when the budget has no room.</returns>
    public LifetimeGuard? TryCharge(long bytes, RentBudget? payer, bool reserve) =>
        reserve ? _reservations.TryTake(bytes, payer) : _external.TryTake(address: 0, bytes, payer);

    /// <summary>Takes memory that somebody else owns: see <see cref="ExternalTier.TryTake"/>.</summary>
    public LifetimeGuard? TryWrap(nint address, long bytes, RentBudget? payer, bool charged) =>
        (charged ? _chargedWrapped : _wrapped).TryTake(address, bytes, payer);

    /// <summary>Takes memory for <paramref name="height"/> rows from the tier that fits.</summary>
    /// <param name="stride">Bytes of a row.</param>
    /// <param name="height">Rows; none straddles two blocks.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="payer">What pays for it, if anything does.</param>
    /// <param name="rowsPerBlock">Rows that one block holds; all of them for memory in one piece.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 on success.</param>
    /// <returns>A guard with one reference, or null when the budget has no room.</returns>
    /// <remarks>
    /// Compiled once, with everything in it that a rent of pooled blocks does, and with what is rare or of another tier left out. If the compiler was free
    /// to put it into its callers, and those into theirs, it would give up in the middle, at another place in every application: that has cost 30 ns.
    /// </remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? TryTake(
        long stride, int height, AllocationOptions options, RentBudget? payer, out int rowsPerBlock, out long neededBytes)
    {
        if (pool.IsDisposed)
        {
            Throw.Disposed(owner);
        }

        long totalBytes = PixelLayout.TotalBytes(stride, height);
        LifetimeGuard? guard;
        if (totalBytes <= Small.MostBytes)
        {
            rowsPerBlock = height;
            guard = Small.TryTake(totalBytes, payer, out neededBytes);
        }
        else
        {
            bool contiguous = (options & AllocationOptions.Contiguous) != 0;
            guard = TryTakeBlocks(stride, height, totalBytes, contiguous, payer, out rowsPerBlock, out neededBytes);
        }

        if (guard is not null && ((options & AllocationOptions.Clean) != 0 || guard.NeedsPreparation))
        {
            Prepare(guard, options, rowsPerBlock * stride, totalBytes);
        }

        return guard;
    }

    // What holds for an image that is asked for with such options. Refuses those that there are not.
    private AllocationOptions GetOptions(AllocationOptions options)
    {
        if ((options & ~(AllocationOptions.Clean | AllocationOptions.Contiguous)) != 0)
        {
            Throw.OutOfRange(nameof(options), options, "The value contains an option that does not exist.");
        }

        return _options.PreferContiguousImageBuffers ? options | AllocationOptions.Contiguous : options;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private LifetimeGuard? TryTakeBlocks(
        long stride, int height, long totalBytes, bool contiguous, RentBudget? payer, out int rowsPerBlock, out long neededBytes)
    {
        int blocks = CountBlocks(stride, height, totalBytes, contiguous, out rowsPerBlock, out bool inOnePiece);
        LifetimeGuard? guard = inOnePiece
            ? _runs.TryTakeSlowly(pool.RunLength(blocks), payer, out neededBytes)
            : _blocks.TryTake(blocks, payer, out neededBytes);
        if (guard is not null || neededBytes != 0)
        {
            rowsPerBlock = inOnePiece ? height : rowsPerBlock;
            return guard;
        }

        // The pool is full. What fits in a block may not fit in its largest pieces.
        return TryTakeOverCapacity(stride, height, totalBytes, inOnePiece || contiguous, payer, out rowsPerBlock, out neededBytes);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int CountBlocks(long stride, int height, long totalBytes, bool contiguous, out int rowsPerBlock, out bool inOnePiece)
    {
        // Contiguous, or a row longer than a block: one piece.
        rowsPerBlock = PixelLayout.RowsIn(_options.BlockBytes, stride, height);
        inOnePiece = totalBytes > _options.BlockBytes && (contiguous || rowsPerBlock == 0);
        return !inOnePiece ? Groups(height, rowsPerBlock)
            : (int)Math.Min(int.MaxValue, (totalBytes + _options.BlockBytes - 1) / _options.BlockBytes);
    }

    // Over the pool's capacity: pieces, the last one no larger than needed.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? TryTakeOverCapacity(
        long stride, int height, long totalBytes, bool inOnePiece, RentBudget? payer, out int rowsPerBlock, out long neededBytes)
    {
        rowsPerBlock = PixelLayout.RowsIn(_options.UnpooledBlockBytes, stride, height);
        if (inOnePiece || rowsPerBlock == 0 || rowsPerBlock >= height)
        {
            rowsPerBlock = height;
            return _unpooled.TryTake(1, totalBytes, totalBytes, payer, out neededBytes);
        }

        int pieces = Groups(height, rowsPerBlock);
        long pieceBytes = rowsPerBlock * stride;
        return _unpooled.TryTake(pieces, pieceBytes, totalBytes - (pieceBytes * (pieces - 1)), payer, out neededBytes);
    }

    // All that a rent rarely has to do before it is handed out. Nothing in it throws: no code of the application is called.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Prepare(LifetimeGuard guard, AllocationOptions asked, long blockUsedBytes, long totalBytes)
    {
        // What clearing has to cover, now or when the memory is returned, and where the image ends.
        int blocks = guard.BlockCount;
        long usedPerBlock = blocks == 1 ? totalBytes : blockUsedBytes;
        guard.SetUsed(usedPerBlock, totalBytes - (usedPerBlock * (blocks - 1)));
        if (guard.FreshBytes != 0 && _options.UseHugePages)
        {
            FreshPages.Choose(guard, pool.Source);
        }

        if ((asked & AllocationOptions.Clean) != 0)
        {
            // Fresh pages read as zero, and so does what was cleared when it was returned.
            guard.Clear(!pool.Source.IsZeroed ? long.MaxValue : _options.ClearOnReturn && guard.Array is null ? 0 : guard.ReusedBytes);
        }
    }

    // Divisions of 32 bits, and none for a single group: they are a good part of what a rent costs.
    private static int Groups(int rows, int rowsPerGroup) =>
        rows <= rowsPerGroup ? 1 : (int)(((uint)rows + (uint)rowsPerGroup - 1) / (uint)rowsPerGroup);
}

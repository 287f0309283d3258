using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool;

/// <content>From a size to the tier that serves it.</content>
public sealed partial class PixelAllocator
{
    /// <summary>Takes memory for an image.</summary>
    /// <param name="width">Pixels of a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <param name="budget">What pays for it, if anything does.</param>
    /// <param name="layout">How the rows lie in it.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 on success.</param>
    /// <returns>A guard with one reference, or null when the budget has no room.</returns>
    private LifetimeGuard? TryTakeImage(
        int width, int height, int pixelBytes, AllocationOptions options, RentBudget? budget, out PixelLayout layout, out long neededBytes)
    {
        if (width < 1)
        {
            Throw.NotPositive(nameof(width), width);
        }

        if (height < 1)
        {
            Throw.NotPositive(nameof(height), height);
        }

        CheckOptions(options);
        int alignment = _options.RowAlignmentBytes;
        long stride = (((long)width * pixelBytes) + alignment - 1) & -(long)alignment;
        if (stride > int.MaxValue)
        {
            ThrowRowTooLong(width, pixelBytes);
        }

        if (_options.PreferContiguousImageBuffers)
        {
            options |= AllocationOptions.Contiguous;
        }

        LifetimeGuard? guard = TryTake(stride, height, options, budget, out int rowsPerBlock, out neededBytes);
        layout = guard is null ? default : new PixelLayout(width, height, (int)stride, rowsPerBlock, isDivided: guard.BlockCount > 1);
        return guard;
    }

    /// <summary>Takes memory for <paramref name="height"/> rows from the tier that fits.</summary>
    /// <param name="stride">Bytes of a row.</param>
    /// <param name="height">Rows; none straddles two blocks.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <param name="budget">What pays for it, if anything does.</param>
    /// <param name="rowsPerBlock">Rows that one block holds; all of them for memory in one piece.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 on success.</param>
    /// <returns>A guard with one reference, or null when the budget has no room.</returns>
    /// <remarks>
    /// Compiled once, with everything in it that a rent of pooled blocks does, and with what is rare or of another tier left out. If the compiler was free
    /// to put it into its callers, and those into theirs, it would give up in the middle, at another place in every application: that has cost 30 ns.
    /// </remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? TryTake(
        long stride, int height, AllocationOptions options, RentBudget? budget, out int rowsPerBlock, out long neededBytes)
    {
        if (_pool.IsDisposed)
        {
            Throw.Disposed(nameof(PixelAllocator));
        }

        long totalBytes = GetTotalBytes(stride, height);
        LifetimeGuard? guard;
        long reusedBytes;
        if (totalBytes <= _options.SmallBufferThresholdBytes && _options.SmallBuffers != SmallBufferStrategy.None)
        {
            rowsPerBlock = height;
            guard = TryTakeSmall(totalBytes, budget, out reusedBytes, out neededBytes);
        }
        else
        {
            bool contiguous = (options & AllocationOptions.Contiguous) != 0;
            guard = TryTakeLarge(stride, height, totalBytes, contiguous, budget, out rowsPerBlock, out reusedBytes, out neededBytes);
        }

        if (guard is not null && ((options & AllocationOptions.Clean) != 0 || guard.NeedsPreparation))
        {
            Prepare(guard, options, rowsPerBlock * stride, totalBytes, reusedBytes);
        }

        return guard;
    }

    // All that a rent of pooled blocks rarely has to do before it is handed out.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Prepare(LifetimeGuard guard, AllocationOptions options, long blockUsedBytes, long totalBytes, long reusedBytes)
    {
        bool prepared = false;
        try
        {
            SetUsed(guard, blockUsedBytes, totalBytes);
            if (guard.FreshBytes != 0 && _options.UseHugePages)
            {
                guard.ThinTail();
            }

            if ((options & AllocationOptions.Clean) != 0)
            {
                // Fresh pages read as zero, and so does what was cleared when it was returned.
                guard.Clear(!_pool.Source.IsZeroed ? long.MaxValue : _options.ClearOnReturn && guard.Array is null ? 0 : reusedBytes);
            }

            if (guard.IsToBeLookedAt)
            {
                _pool.Tracking.Look(guard);
            }

            prepared = true;
        }
        finally
        {
            if (!prepared)
            {
                guard.TryReleaseOwner(guard.Version);
            }
        }
    }

    // What clearing has to cover, now or when the memory is returned, and where the image ends.
    private static void SetUsed(LifetimeGuard guard, long blockUsedBytes, long totalBytes)
    {
        int blocks = guard.BlockCount;
        long usedPerBlock = blocks == 1 ? totalBytes : blockUsedBytes;
        guard.SetUsed(usedPerBlock, totalBytes - (usedPerBlock * (blocks - 1)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private LifetimeGuard? TryTakeLarge(
        long stride, int height, long totalBytes, bool contiguous, RentBudget? budget, out int rowsPerBlock, out long reusedBytes, out long neededBytes)
    {
        // Contiguous, or a row longer than a block: one piece.
        rowsPerBlock = RowsIn(_options.BlockBytes, stride, height);
        bool inOnePiece = totalBytes > _options.BlockBytes && (contiguous || rowsPerBlock == 0);
        int blocks = !inOnePiece ? Groups(height, rowsPerBlock)
            : (int)Math.Min(int.MaxValue, (totalBytes + _options.BlockBytes - 1) / _options.BlockBytes);
        LifetimeGuard? guard = inOnePiece
            ? TryTakeRun(blocks, budget, out reusedBytes, out neededBytes)
            : TryTakeBlocks(blocks, budget, out reusedBytes, out neededBytes);
        if (guard is not null || neededBytes != 0)
        {
            rowsPerBlock = inOnePiece ? height : rowsPerBlock;
            return guard;
        }

        reusedBytes = 0;
        return TryTakeOverCapacity(stride, height, totalBytes, inOnePiece, budget, out rowsPerBlock, out neededBytes);
    }

    // Over the pool's capacity: pieces, the last one no larger than needed.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? TryTakeOverCapacity(
        long stride, int height, long totalBytes, bool inOnePiece, RentBudget? budget, out int rowsPerBlock, out long neededBytes)
    {
        rowsPerBlock = RowsIn(_options.UnpooledBlockBytes, stride, height);
        if (inOnePiece || rowsPerBlock == 0 || rowsPerBlock >= height)
        {
            rowsPerBlock = height;
            return TryTakeUnpooled(1, totalBytes, totalBytes, budget, out neededBytes);
        }

        int pieces = Groups(height, rowsPerBlock);
        long pieceBytes = rowsPerBlock * stride;
        return TryTakeUnpooled(pieces, pieceBytes, totalBytes - (pieceBytes * (pieces - 1)), budget, out neededBytes);
    }

    // A stride of 0 is an allocation of no elements.
    private static int RowsIn(int blockBytes, long stride, int height) =>
        stride == 0 ? height : stride > blockBytes ? 0 : (int)((uint)blockBytes / (uint)stride);

    // Divisions of 32 bits, and none for a single group: they are a good part of what a rent costs.
    private static int Groups(int rows, int rowsPerGroup) =>
        rows <= rowsPerGroup ? 1 : (int)(((uint)rows + (uint)rowsPerGroup - 1) / (uint)rowsPerGroup);

    private static long GetTotalBytes(long stride, int height)
    {
        // At most 2⁶² for images (two factors below 2³¹) and 2⁶³ − 1 for memory of one row: it can not overflow.
        long totalBytes = stride * height;
        if (totalBytes > BlockSource.MaxBytes)
        {
            ThrowTooLarge(totalBytes);
        }

        return totalBytes;
    }

    // Messages are put together apart: what the compiler spends on them it does not have for the rent.
    [DoesNotReturn]
    private static void ThrowRowTooLong(int width, int pixelBytes) =>
        Throw.InvalidMemoryOperation($"A row of {Plural.Of(width, "pixel")} of {Plural.Of(pixelBytes, "byte")} has more than 2 GiB.");

    [DoesNotReturn]
    private static void ThrowTooLarge(long totalBytes) =>
        Throw.InvalidMemoryOperation($"{ByteSize.Format(totalBytes)} are more than a process can address ({ByteSize.Format(BlockSource.MaxBytes)}).");

    private static void CheckOptions(AllocationOptions options)
    {
        if ((options & ~(AllocationOptions.Clean | AllocationOptions.Contiguous)) != 0)
        {
            ThrowUnknown(options);
        }

        [DoesNotReturn]
        static void ThrowUnknown(AllocationOptions options) => Throw.OutOfRange(nameof(options), options, "An option is unknown.");
    }
}

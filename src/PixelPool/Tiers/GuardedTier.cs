using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>Rents that end at a page which nobody can touch, and that nobody can touch after their return. For whoever looks for mistakes: one rent in N, or all of them.</summary>
/// <remarks>What it refuses is an ordinary rent, which says what is wrong if anything is.</remarks>
internal sealed class GuardedTier(BlockPool pool, MemoryBudget? budget, PixelAllocatorOptions options) : SystemTier(pool, budget)
{
    // Of the whole process. Each is three mappings, of which it may have 65,530 on Linux: what is beyond is an ordinary rent, so that the runtime has enough for itself. Threads that come together may have one more each.
    private const int MostRented = 4096;

    private static int s_rented;

    [ThreadStatic]
    private static uint s_random;

    private readonly Quarantine _quarantine = new(pool.Source);

    /// <summary>Takes memory for an image, in one piece, if the rent is to be guarded. It reads as zero.</summary>
    /// <returns>Null when it is not, the budget has no room, or the system has none of such memory.</returns>
    public LifetimeGuard? TryTakeImage(int width, int height, int pixelBytes, AllocationOptions asked, RentBudget? payer, out PixelLayout layout)
    {
        long stride = width < 1 || height < 1 ? long.MaxValue : PixelLayout.StrideOf(width, pixelBytes, options.RowAlignmentBytes);
        LifetimeGuard? guard = stride > int.MaxValue ? null : TryTakeMemory(stride * height, asked, payer);
        layout = guard is null ? default : new PixelLayout(width, height, (int)stride, rowsPerBlock: height, isDivided: false);
        return guard;
    }

    /// <summary>Takes contiguous memory, if the rent is to be guarded. It reads as zero.</summary>
    /// <returns>Null when it is not, the budget has no room, or the system has none of such memory.</returns>
    public LifetimeGuard? TryTakeMemory(long bytes, AllocationOptions asked, RentBudget? payer)
    {
        // One in N is, each by chance, so that no loop of rents always misses its turn, and no other allocator changes how often this one does.
        const AllocationOptions Known = AllocationOptions.Clean | AllocationOptions.Contiguous;
        return Draw() % (uint)options.GuardedRentSampling != 0 || bytes < 0 || bytes > BlockSource.MaxBytes || (asked & ~Known) != 0 || Pool.IsDisposed || Volatile.Read(ref s_rented) >= MostRented ? null
            : TryBegin(Math.Max(1, bytes), payer, (this, Math.Max(1, bytes), options.UseHugePages), TryHold);
    }

    // The accounts are right, and the guard may be used again, before the mistake leaves the call that ended the rent.
    public override void GiveBack(LifetimeGuard guard)
    {
        long bytes = guard.HeldBytes;
        var pages = (GuardedPages)guard.TakeAttachment()!;
        int written = pages.FindWrittenBefore();
        guard.ClearForOthers();
        pages.ReturnedAt = Pool.Guards.Listener.DescribePlace();
        if (pages.TryClose(Pool.Source))
        {
            _quarantine.Add(pages);
        }
        else
        {
            pages.Release(Pool.Source);
        }

        // The pool is marked before it empties the quarantine, for the last time: one of the two sees what came here.
        if (Pool.IsDisposed)
        {
            _quarantine.Empty();
        }

        Interlocked.Decrement(ref s_rented);
        Drop(guard);
        if (written != 0)
        {
            const string UnknownLine = "a line that is not known";
            Throw.InvalidMemoryOperation(
                $"Memory in front of an image was overwritten, {Plural.Of(written, "byte")} before its first byte. The image has {ByteSize.Format(bytes)}. "
                    + $"It was rented at {pages.RentedAt ?? UnknownLine} and returned at {pages.ReturnedAt ?? UnknownLine}.");
        }
    }

    // Marsaglia's xorshift: it need not be good, but cheap, and other than that of the next thread. It is never 0.
    private static uint Draw()
    {
        uint value = s_random != 0 ? s_random : ((uint)Environment.CurrentManagedThreadId * 0x9E37_79B9) | 1;
        value ^= value << 13;
        value ^= value >> 17;
        value ^= value << 5;
        return s_random = value;
    }

    private static bool TryHold(LifetimeGuard guard, (GuardedTier Tier, long Bytes, bool HugePages) memory)
    {
        BlockPool pool = memory.Tier.Pool;
        pool.Recovery.CheckFits(memory.Bytes);

        // Before anything can come there.
        pool.Trimmer.LastResort ??= memory.Tier._quarantine.Empty;
        if (GuardedPages.TryTake(pool.Source, (nint)memory.Bytes, memory.HugePages, pool.Guards.Listener.DescribePlace()) is not { } pages)
        {
            return false;
        }

        Interlocked.Increment(ref s_rented);
        guard.SetUsed(memory.Bytes, memory.Bytes);
        guard.HoldPiece(memory.Tier, pages.Address, memory.Bytes, pages);
        return true;
    }
}

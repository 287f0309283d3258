using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Native;
using PixelPool.Threading;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>
/// Idle blocks of a depot go back to the system: the longest idle first, and never under a lock. Guards that nobody needs are let go.
/// </summary>
/// <param name="depot">The depot.</param>
/// <param name="source">Where blocks go back to.</param>
/// <param name="capacity">Where their places become free.</param>
/// <param name="accounts">What is counted.</param>
/// <param name="blockBytes">Bytes of a block.</param>
internal sealed class DepotTrimmer(Depot depot, BlockSource source, PoolCapacity capacity, MemoryAccounts accounts, int blockBytes) : ITrimmable
{
    // Blocks that are taken from a stripe in one go: few enough for the stack, enough to keep the lock rare.
    private const int Batch = 64;

    // Those of every living pool of the process.
    private static readonly WeakSet<ITrimmable> s_all = new();

    // Never changed in place; it only becomes longer.
    private readonly UninterruptibleLock _adding = new();
    private IFreePages[] _cut = [];

    /// <inheritdoc/>
    public bool HasIdle => HasIdleBesideThreads || depot.Caches.HasAny() || HasIdleBesideThreads;

    // Looked at first, because that stops nobody, and again: what a thread kept may have gone there meanwhile.
    private bool HasIdleBesideThreads
    {
        get
        {
            foreach (DepotStripe stripe in depot.Stripes)
            {
                if (stripe.HasIdle)
                {
                    return true;
                }
            }

            foreach (IFreePages blocks in Volatile.Read(ref _cut))
            {
                if (blocks.HasFreePages)
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>Lets go of what is kept to find mistakes: only when the system has no memory, and at the end.</summary>
    public Action? LastResort { get; set; }

    /// <summary>Whether blocks are cut: then small memory that threads keep may hold blocks.</summary>
    public bool CutsBlocks => Volatile.Read(ref _cut).Length != 0;

    /// <summary>Remembers blocks that are cut.</summary>
    public void Add(IFreePages blocks)
    {
        using (_adding.Hold())
        {
            Volatile.Write(ref _cut, [.. _cut, blocks]);
        }
    }

    /// <inheritdoc/>
    public void RefreshCapacity()
    {
        if (capacity.Refresh() is > 0 and long excess)
        {
            accounts.OnTrimmed(ReleaseIdle(excess), TrimReason.Pressure);
        }
    }

    /// <inheritdoc/>
    public long TrimTo(long idleBytes, TrimReason reason)
    {
        depot.Caches.PutAllBack();
        foreach (DepotStripe stripe in depot.Stripes)
        {
            stripe.LetGuardsGo(idleBytes == 0 ? stripe.SurplusGuards : 0);
        }

        long released = ReleaseIdle(CountIdle() - (idleBytes / blockBytes));
        if (idleBytes == 0 && reason != TrimReason.Disposal)
        {
            foreach (IFreePages blocks in Volatile.Read(ref _cut))
            {
                blocks.DiscardFreePages();
            }
        }

        if (reason is TrimReason.OutOfMemory or TrimReason.Disposal)
        {
            LastResort?.Invoke();
        }

        accounts.OnTrimmed(released, reason);
        CollectorPressure.Settle();
        return released;
    }

    /// <summary>Trims every pool to nothing: memory has run out somewhere. No lock is held meanwhile.</summary>
    /// <returns>Bytes given back to the system.</returns>
    public static long TrimAll(TrimReason reason)
    {
        long released = 0;
        foreach (ITrimmable pool in s_all.ToList())
        {
            released += pool.TrimTo(0, reason);
        }

        return released;
    }

    /// <summary>From now on <see cref="TrimAll"/> finds it, for as long as it lives.</summary>
    public void Register() => s_all.Add(this);

    /// <inheritdoc/>
    public void TrimByPolicy(TrimPolicy policy, TrimReason reason)
    {
        long released = 0;

        // First: from then on the stripes know for how long nobody needed what lay elsewhere.
        depot.Caches.PutTransferredBack();
        Span<int> before = stackalloc int[depot.Stripes.Length];
        for (int i = 0; i < before.Length; i++)
        {
            before[i] = depot.Stripes[i].SingleBlocks;
        }

        // This was idle during the period, too.
        depot.Caches.PutUnusedBack();
        for (int i = 0; i < before.Length; i++)
        {
            DepotStripe stripe = depot.Stripes[i];
            (int single, int inRuns, int parked) = stripe.EndPeriod(policy, before[i]);
            released += ReleaseOldestRuns(stripe, inRuns) + ReleaseOldest(stripe, single);
            stripe.LetGuardsGo(parked);
        }

        foreach (IFreePages blocks in Volatile.Read(ref _cut))
        {
            if (blocks.EndPeriod())
            {
                blocks.DiscardFreePages();
            }
        }

        accounts.OnTrimmed(released * blockBytes, reason);
    }

    /// <summary>How many blocks are idle in the stripes.</summary>
    public long CountIdle()
    {
        long idle = 0;
        foreach (DepotStripe stripe in depot.Stripes)
        {
            idle += stripe.IdleBlocks;
        }

        return idle;
    }

    /// <summary>Gives back as many bytes as are idle, up to so many; in whole blocks.</summary>
    /// <returns>How many went.</returns>
    public long ReleaseIdleBytes(long bytes) => ReleaseIdle((bytes + blockBytes - 1) / blockBytes);

    /// <summary>Gives back as many blocks as are idle, up to the count: those of runs first, which serve fewer.</summary>
    /// <returns>How many bytes went.</returns>
    public long ReleaseIdle(long count)
    {
        depot.Caches.PutAllBack();
        long released = 0;
        foreach (DepotStripe stripe in depot.Stripes)
        {
            released += ReleaseOldestRuns(stripe, count - released);
        }

        foreach (DepotStripe stripe in depot.Stripes)
        {
            released += ReleaseOldest(stripe, count - released);
        }

        return released * blockBytes;
    }

    // Of memory that is not divisible whole runs go, also when that is more than was asked for.
    private long ReleaseOldestRuns(DepotStripe stripe, long count)
    {
        long released = 0;
        while (released < count && TryLetOldestRunGo(stripe, (int)Math.Min(int.MaxValue, count - released), out BlockRun run))
        {
            ReleaseCounted(run);
            released += run.Blocks;
        }

        return released;
    }

    private long ReleaseOldest(DepotStripe stripe, long count)
    {
        Span<nint> batch = stackalloc nint[Batch];
        long released = 0;
        for (int taken = Batch; released < count && taken != 0; released += taken)
        {
            using (IdleHold hold = depot.HoldIdle())
            {
                taken = stripe.TakeOldest(batch.Slice(0, (int)Math.Min(Batch, count - released)), hold);
                LetGo(taken);
            }

            foreach (nint block in batch.Slice(0, taken))
            {
                ReleaseCounted(new BlockRun(block, 1));
            }
        }

        return released;
    }

    /// <summary>Tells of blocks that went back without a trim: the depot is closed or cannot grow, or their shape is of no use.</summary>
    public void ReportDropped(long bytes)
    {
        if (bytes != 0)
        {
            accounts.Listener.OnDropped(bytes, depot.Caches.IsClosed ? "Disposed" : "Unwieldy");
        }
    }

    private bool TryLetOldestRunGo(DepotStripe stripe, int atMost, out BlockRun run)
    {
        using IdleHold hold = depot.HoldIdle();
        bool taken = stripe.TryTakeOldestRun(atMost, source.IsDivisible, hold, out run);
        LetGo(run.Blocks);
        return taken;
    }

    /// <summary>Gives a block or a run back that was let go.</summary>
    public void ReleaseCounted(BlockRun run)
    {
        source.ReleaseRun(run.Address, run.Blocks, blockBytes);
        CollectorPressure.Remove((long)run.Blocks * blockBytes);
        capacity.EndLeaving(run.Blocks);
    }

    /// <summary>
    /// Before the system takes blocks: to whoever needs room they are neither idle nor rented, so it would look for what it cannot find. First the accounts: who finds room holds no more than fits.
    /// </summary>
    public void LetGo(int blocks)
    {
        accounts.LetGo((long)blocks * blockBytes);
        capacity.BeginLeaving(blocks);
    }
}

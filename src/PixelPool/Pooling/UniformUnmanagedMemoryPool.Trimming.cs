using PixelPool.Native;
using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool;

/// <content>Idle blocks go back to the system: the longest idle first, and never under a lock.</content>
public sealed partial class UniformUnmanagedMemoryPool
{
    // Blocks that are taken from a stripe in one go: few enough for the stack, enough to keep the lock rare.
    private const int TrimBatch = 64;

    /// <summary>Gives every idle block back to the system now.</summary>
    /// <returns>Bytes given back.</returns>
    public long Trim() => TrimTo(0);

    /// <summary>Gives idle blocks back to the system until at most <paramref name="idleBytes"/> stay idle.</summary>
    /// <param name="idleBytes">Bytes that may stay idle; rounded down to whole blocks.</param>
    /// <returns>Bytes given back.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="idleBytes"/> is negative.</exception>
    public long TrimTo(long idleBytes)
    {
        if (idleBytes < 0)
        {
            Throw.Negative(nameof(idleBytes), idleBytes);
        }

        long released = TrimTo(idleBytes, TrimReason.Request);
        GC.KeepAlive(this);
        return released;
    }

    /// <summary>Whether there is something that trimming could give back or let go.</summary>
    internal bool HasIdle
    {
        get
        {
            foreach (DepotStripe stripe in _stripes)
            {
                if (stripe.HasIdle)
                {
                    return true;
                }
            }

            return false;
        }
    }

    internal long TrimTo(long idleBytes, TrimReason reason)
    {
        long released = ReleaseTo(idleBytes, reason);
        ReportTrimmed(released, reason);
        return released;
    }

    /// <summary>As <see cref="TrimTo(long, TrimReason)"/>, for callers that hold a lock: <see cref="ReportTrimmed"/> is to be called without it.</summary>
    internal long ReleaseTo(long idleBytes, TrimReason reason)
    {
        long idle = 0;
        foreach (DepotStripe stripe in _stripes)
        {
            idle += stripe.IdleBlocks;
        }

        if (idleBytes == 0)
        {
            foreach (DepotStripe stripe in _stripes)
            {
                LetGuardsGo(stripe, int.MaxValue, all: false);
            }
        }

        return CountTrimmed(ReleaseIdle(idle - (idleBytes / BlockBytes)), reason);
    }

    /// <summary>Gives back what the policy wants to. <see cref="ReportTrimmed"/> is to be called with the bytes that are returned, without a lock.</summary>
    internal long ReleaseByPolicy(TrimPolicy policy, TrimReason reason)
    {
        long released = 0;
        foreach (DepotStripe stripe in _stripes)
        {
            (int single, int inRuns, int guards) = stripe.EndPeriod(policy);
            released += ReleaseOldestRuns(stripe, inRuns) + ReleaseOldest(stripe, single);
            LetGuardsGo(stripe, guards, all: true);
        }

        return CountTrimmed(released, reason);
    }

    // The collector takes them: they hold nothing.
    private void LetGuardsGo(DepotStripe stripe, int count, bool all)
    {
        int gone = 0;
        while (gone < count && stripe.TakeSurplusGuard(all) is { } guard)
        {
            guard.Retire();
            gone++;
        }

        if (gone != 0)
        {
            stripe.ShrinkGuardTable();
            ForgetGuardPeak();
        }
    }

    // As many blocks as are idle, up to the count.
    private long ReleaseIdle(long count)
    {
        long released = 0;
        foreach (DepotStripe stripe in _stripes)
        {
            if (released >= count)
            {
                break;
            }

            released += ReleaseOldestRuns(stripe, count - released);
            released += ReleaseOldest(stripe, count - released);
        }

        return released;
    }

    // Of memory that is not divisible whole runs go, also when that is more than was asked for.
    private long ReleaseOldestRuns(DepotStripe stripe, long count)
    {
        long released = 0;
        while (released < count)
        {
            if (!stripe.TryTakeOldestRun((int)Math.Min(int.MaxValue, count - released), BlockBytes, _source.IsDivisible, out BlockRun run))
            {
                break;
            }

            ReleaseReturned(run);
            stripe.Count(new StripeCounters { ReleasedBytes = (long)run.Blocks * BlockBytes });
            released += run.Blocks;
        }

        return released;
    }

    private long ReleaseOldest(DepotStripe stripe, long count)
    {
        Span<nint> batch = stackalloc nint[TrimBatch];
        long released = 0;
        while (released < count)
        {
            int taken = stripe.TakeOldest(batch.Slice(0, (int)Math.Min(TrimBatch, count - released)));
            if (taken == 0)
            {
                break;
            }

            _source.ReleaseBlocks(batch.Slice(0, taken), BlockBytes);
            Interlocked.Add(ref _allocatedBlocks, -taken);
            ReturnSignal.Notify();
            stripe.Count(new StripeCounters { ReleasedBytes = (long)taken * BlockBytes });
            released += taken;
        }

        return released;
    }
}

using System.Runtime.CompilerServices;
using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Threading;

namespace PixelPool.Pooling;

/// <summary>Where a pool's idle memory and its guards are: in stripes, one for each processor, and in caches of the threads that rent most.</summary>
internal sealed class Depot
{
    private readonly MemoryBudget? _budget;

    // All stripes twice, one after the other: so from each of them on there are all.
    private readonly DepotStripe[] _twice;

    /// <param name="accounts">What is counted.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="budget">Whose credit is kept, if there is one.</param>
    /// <param name="tryPutBack">Makes the block of a guard idle in a stripe, and parks the guard. False when no stripe can have it: then it counts no more.</param>
    /// <param name="drop">Gives it back to the system then.</param>
    public Depot(MemoryAccounts accounts, int blockBytes, MemoryBudget? budget, Func<LifetimeGuard, bool> tryPutBack, Action<LifetimeGuard> drop)
    {
        _budget = budget;

        // Asked on the way back, which must not be the first to ask: there may be no memory for what that takes.
        _ = ProcessBarrier.IsSupported;
        Stripes = new DepotStripe[StripeIndex.Count];
        for (int i = 0; i < Stripes.Length; i++)
        {
            Stripes[i] = new DepotStripe(accounts, blockBytes);
        }

        _twice = [.. Stripes, .. Stripes];
        Caches = new ThreadCaches(accounts, blockBytes, budget, tryPutBack, drop);
        accounts.PutBack = Caches.PutBack;
        accounts.Open(Stripes, Caches.Transfer);
    }

    /// <summary>
    /// Before blocks are taken from where they are idle, until they are idle elsewhere or do not count any more: they take their charge with them, and who needs room finds all that is idle. Without a budget it
    /// does nothing.
    /// </summary>
    public IdleHold HoldIdle() => IdleHold.Of(_budget);

    /// <summary>Takes idle blocks of all stripes, up to the length of <paramref name="blocks"/>. Nobody rents them yet.</summary>
    /// <param name="blocks">Gets the addresses.</param>
    /// <param name="credit">Bytes of a single block, for which its stripe has to have credit; 0 when they were charged, or there is no budget.</param>
    /// <returns>How many were taken.</returns>
    public int Take(Span<nint> blocks, long credit = 0)
    {
        int taken = 0;
        foreach (DepotStripe stripe in FromCurrent)
        {
            if (taken < blocks.Length && stripe.SingleBlocks > 0)
            {
                using IdleHold hold = credit == 0 ? HoldIdle() : default;
                taken += stripe.Take(blocks.Slice(taken), credit, hold);
            }
        }

        return taken;
    }

    /// <summary>The common rent of blocks that lie side by side: an idle run of one stripe, under a guard of it.</summary>
    /// <param name="tier">Where it goes back to.</param>
    /// <param name="count">Blocks, as <see cref="BlockPool.RunLength"/> says.</param>
    /// <param name="credit">Bytes that the stripe has to have credit for; 0 when they were charged, or there is no budget.</param>
    /// <param name="given">The guard; null for one of the stripe.</param>
    /// <returns>Null when no stripe has all of it: nothing was taken.</returns>
    public LifetimeGuard? TryRentRun(MemoryTier tier, int count, long credit, LifetimeGuard? given = null)
    {
        foreach (DepotStripe stripe in FromCurrent)
        {
            if (!stripe.SeemsToHaveRuns)
            {
                continue;
            }

            using IdleHold hold = credit == 0 ? HoldIdle() : default;
            if (stripe.TryRentRun(tier, count, credit, hold, given) is { } guard)
            {
                return guard;
            }
        }

        return null;
    }

    /// <summary>The stripes; a power of two.</summary>
    public readonly DepotStripe[] Stripes;

    /// <summary>What threads keep.</summary>
    public readonly ThreadCaches Caches;

    /// <summary>The stripe of the processor that the thread runs on.</summary>
    public DepotStripe Current
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Stripes[StripeIndex.Current & (Stripes.Length - 1)];
    }

    /// <summary>All stripes, first that of the processor that the thread runs on, then its neighbours.</summary>
    public ReadOnlySpan<DepotStripe> FromCurrent => new(_twice, StripeIndex.Current & (Stripes.Length - 1), Stripes.Length);
}

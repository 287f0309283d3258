using System.Runtime.CompilerServices;
using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Threading;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>
/// The caches of a pool: one for each of the threads that rent most, and no more than a few for each processor, however many threads there are. The others, and everybody where there is no
/// <see cref="ProcessBarrier"/>, use the stripes.
/// </summary>
/// <param name="accounts">Caches are stripes of it.</param>
/// <param name="blockBytes">Bytes of a block.</param>
/// <param name="budget">To which what they keep stays charged, if there is one.</param>
/// <param name="tryPutBack">Makes the block of a guard idle in a stripe, and parks the guard. False when no stripe can have it: then it counts no more.</param>
/// <param name="drop">Gives it back to the system then.</param>
internal sealed class ThreadCaches(MemoryAccounts accounts, int blockBytes, MemoryBudget? budget, Func<LifetimeGuard, bool> tryPutBack, Action<LifetimeGuard> drop)
{
    private const int MostPerStripe = 2;

    // A thread that gets no cache looks at so many others each time that it asks for one.
    private const int LookedAt = 4;

    // Threads know the pool by it: unlike everything else here it does not lead to guards, so a thread keeps no pool alive.
    private readonly object _key = new();
    private readonly UninterruptibleLock _gate = new();
    private volatile ThreadCache[] _caches = [];
    private uint _nextLookedAt;

    /// <summary>Set once, first of all when the pool is disposed: from then on nobody keeps anything.</summary>
    public volatile bool IsClosed;

    /// <summary>The pool's scheduler, if it has one.</summary>
    public TrimScheduler? Scheduler;

    /// <summary>That of the calling thread, if it has one.</summary>
    public ThreadCache? Mine
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        // A thread without a number has none, and none of the memory that its other thread statics need.
        get => ThreadNumber.Mine == 0 ? null : ThreadSlot.Find(_key);
    }

    /// <summary>By which they pass small memory on.</summary>
    public readonly TransferCache Transfer = new(accounts);

    /// <summary>Whether any of them keeps something.</summary>
    public bool HasAny()
    {
        // In this order: guards go from there to caches, and of those that a cache passes on it keeps as many.
        if (Transfer.HasAny())
        {
            return true;
        }

        foreach (ThreadCache cache in _caches)
        {
            if (cache.HasAny())
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// No cache served a rent or a return of the calling thread: a thread that never returns anything has what others pass on. If that happens often because it has none, it gets one, if there is one left;
    /// otherwise one that is not used is retired, for who asks next.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void ClaimIfOftenMissed()
    {
        ThreadCache? cache = null;
        try
        {
            if (ProcessBarrier.IsSupported && ThreadNumber.IsOftenMissed() && Mine is not { IsRetired: false } && ThreadSlot.HasRoom())
            {
                cache = Make();
                if (cache is null)
                {
                    RetireUnused();
                }
                else
                {
                    ThreadSlot.Add(_key, cache);
                }
            }
        }
        catch (OutOfMemoryException)
        {
            // Then the thread goes on without.
            cache?.Retire();
        }
    }

    /// <summary>Ends the use of a cache: what it keeps goes back. Idempotent.</summary>
    public void Retire(ThreadCache cache)
    {
        cache.StayClosed();
        PutBlocksBack(cache, int.MaxValue);
        PutSmallBack(cache);
    }

    /// <summary>Ends the use of all of them, and of caches at all.</summary>
    public void Close()
    {
        using (_gate.Hold())
        {
            IsClosed = true;
        }

        foreach (ThreadCache cache in _caches)
        {
            Retire(cache);
        }

        // Retired caches pass nothing on, and no others come.
        PutSmallBack();
    }

    /// <summary>Puts blocks back to the stripes.</summary>
    /// <param name="count">How many are wanted.</param>
    /// <returns>How many went.</returns>
    public int PutBlocksBack(int count)
    {
        int moved = 0;
        foreach (ThreadCache cache in _caches)
        {
            moved += PutBlocksBack(cache, count - moved);
        }

        return moved;
    }

    /// <summary>Puts a block back; all small memory if there is none.</summary>
    /// <returns>Whether there was any.</returns>
    public bool PutBack() => PutBlocksBack(1) != 0 || PutSmallBack();

    /// <summary>Puts all back: blocks to the stripes, small memory where it comes from.</summary>
    public void PutAllBack()
    {
        PutBlocksBack(int.MaxValue);
        PutSmallBack();
    }

    /// <summary>Ends a period: puts back what lay in caches all through it. What is in use stays: to take it would stop its thread.</summary>
    public void PutUnusedBack()
    {
        foreach (ThreadCache cache in _caches)
        {
            (bool blocks, bool small) = cache.EndPeriod();
            PutBlocksBack(cache, blocks ? int.MaxValue : 0);
            if (small)
            {
                PutSmallBack(cache);
            }
        }
    }

    /// <summary>Puts back what passes from thread to thread, which it does in far less than a period.</summary>
    /// <returns>Whether there was any.</returns>
    public bool PutTransferredBack() => PutSmallBack(Transfer);

    /// <summary>Puts all small memory back where it comes from.</summary>
    /// <returns>Whether there was any.</returns>
    public bool PutSmallBack()
    {
        bool any = false;
        foreach (ThreadCache cache in _caches)
        {
            any |= PutSmallBack(cache);
        }

        return PutTransferredBack() || any;
    }

    // No more than there is now: its thread may return as fast as it is taken.
    private int PutBlocksBack(ThreadCache cache, int count)
    {
        int most = Math.Min(count, cache.BlockCount);
        int moved = 0;
        while (moved < most && TryPutBlockBack(cache))
        {
            moved++;
        }

        if (moved != 0)
        {
            // It may have fired while the last one was neither here nor there, and stopped.
            Scheduler?.Arm();
        }

        return moved;
    }

    private bool TryPutBlockBack(ThreadCache cache)
    {
        LifetimeGuard? guard;
        bool isIdle;
        using (IdleHold hold = IdleHold.Of(budget))
        {
            guard = cache.TakeBlock();
            hold.EndCharge(guard?.HeldBytes ?? 0);
            isIdle = guard is not null && tryPutBack(guard);
        }

        if (guard is not null && !isIdle)
        {
            drop(guard);
        }

        return guard is not null;
    }

    private bool PutSmallBack(GuardCache cache)
    {
        LifetimeGuard? first = cache.SmallBytes == 0 ? null : TakeSmall(cache);
        for (LifetimeGuard? next = first; next is { } guard;)
        {
            next = guard.NextTaken;
            guard.NextTaken = null;
            guard.Tier!.EvictCached(guard);
        }

        return first is not null;
    }

    // In one pause, and the charge ends in one go with their being kept: nobody sees them charged and rented by nobody.
    private LifetimeGuard? TakeSmall(GuardCache cache)
    {
        using IdleHold hold = IdleHold.Of(budget);
        LifetimeGuard? first = cache.TakeSmall();
        for (LifetimeGuard? guard = first; guard is not null; guard = guard.NextTaken)
        {
            guard.Tier!.OnEvicting(guard);
            hold.EndCharge(guard.HeldBytes);
        }

        return first;
    }

    // A cache is for threads that rent now. Some at a time, by turns, so that it costs a thread nothing not to get one. So those of threads that have ended go, too: finalizers come with the next
    // collection, and a program that rents need not allocate.
    private void RetireUnused()
    {
        ThreadCache[] caches = _caches;
        for (int i = 0; i < Math.Min(LookedAt, caches.Length); i++)
        {
            ThreadCache cache = caches[_nextLookedAt++ % (uint)caches.Length];
            if (!cache.IsRetired && cache.WasNotUsed())
            {
                Retire(cache);
                return;
            }
        }
    }

    // Another one may come in its place: it keeps nothing. Nothing comes to it any more, so nobody has to be stopped for a look. A method, not a lambda: see ThreadSlot.
    private static bool IsEnded(ThreadCache cache) => cache.IsRetired && cache.BlockCount == 0 && cache.SmallBytes == 0;

    // In the place of one that has ended, or as one more. Null when there are as many as there may be.
    private ThreadCache? Make()
    {
        using (_gate.Hold())
        {
            int place = Array.FindIndex(_caches, IsEnded);
            if (IsClosed || (place < 0 && _caches.Length >= MostPerStripe * StripeIndex.Count))
            {
                return null;
            }

            // Before it has a number: from then on a return looks for its caches, and must not be the first to.
            _ = ThreadSlot.Find(_key);
            ThreadCache? predecessor = place < 0 ? null : _caches[place];
            var cache = new ThreadCache(this, accounts, blockBytes, budget is null ? 0 : blockBytes, Scheduler, predecessor);
            var caches = new ThreadCache[_caches.Length + (place < 0 ? 1 : 0)];
            _caches.CopyTo(caches, 0);
            caches[place < 0 ? _caches.Length : place] = cache;
            accounts.SetCaches(caches);
            _caches = caches;
            return cache;
        }
    }
}

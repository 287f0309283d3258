using System.Runtime.CompilerServices;
using PixelPool.Accounts;
using PixelPool.Lifetime;

namespace PixelPool.Pooling;

// Blocks for a guard, or bare ones; and guards for every tier.
internal sealed partial class BlockPool
{
    /// <summary>As <see cref="DepotStripe.TryRent"/>, with all of one stripe, whichever: where one thread rents what another returns, all is there.</summary>
    /// <returns>Null when no stripe has all of it: nothing was taken.</returns>
    public LifetimeGuard? TryRentAnywhere(MemoryTier tier, int count, long credit)
    {
        foreach (DepotStripe stripe in Depot.FromCurrent)
        {
            if (stripe.SingleBlocks >= count && stripe.TryRent(tier, count, credit) is { } guard)
            {
                return guard;
            }
        }

        return null;
    }

    /// <summary>Every other rent: blocks of any stripe, and from the system, under a guard.</summary>
    /// <param name="tier">Where they go back to.</param>
    /// <param name="count">Blocks, for a run as <see cref="RunLength"/> says; they are charged already.</param>
    /// <param name="inOnePiece">Whether they have to lie side by side.</param>
    /// <returns>Null when that would be more than the capacity: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public LifetimeGuard? TryGather(MemoryTier tier, int count, bool inOnePiece)
    {
        LifetimeGuard? guard = MayHold(count) ? TryHold((this, tier, count, inOnePiece), HoldBlocks) : null;
        guard?.RequestSample();
        return guard;
    }

    /// <summary>Begins a rent under a guard, or parks that again.</summary>
    /// <param name="memory">Passed to <paramref name="hold"/>, which then captures nothing.</param>
    /// <param name="hold">Gets the memory, and makes the guard hold it. Returns false when there is none. A method, not a lambda: if there is no memory for what makes that, it fails for good.</param>
    /// <returns>Null when there is none.</returns>
    public LifetimeGuard? TryHold<TMemory>(TMemory memory, Func<LifetimeGuard, TMemory, bool> hold)
    {
        LifetimeGuard guard = TakeGuard();
        bool held = false;
        try
        {
            held = hold(guard, memory);
            return held ? guard : null;
        }
        finally
        {
            if (!held)
            {
                ParkGuard(guard);
            }
        }
    }

    /// <summary>Whether so many blocks are not more than the pool may hold in all.</summary>
    public bool MayHold(int blocks) => _capacity.MayHold(blocks);

    /// <summary>
    /// Takes blocks from the current stripe, then from its neighbours, then from the system. All or nothing: when the k-th block cannot be
    /// had, the ones before it go back where they came from, and every counter is as it was.
    /// </summary>
    /// <param name="blocks">Gets the addresses.</param>
    /// <param name="countsAsRent">False for blocks that are cut into pieces: the pieces are the rents.</param>
    /// <param name="reused">How many of them, the first ones, somebody may have written to before.</param>
    /// <param name="inOnePiece">Whether they have to lie side by side. Then the first address is that of the piece.</param>
    /// <returns>False when that would be more than the capacity.</returns>
    public bool TryGather(Span<nint> blocks, bool countsAsRent, out int reused, bool inOnePiece = false)
    {
        reused = 0;
        if (!MayHold(blocks.Length))
        {
            return false;
        }

        Recovery.CheckFits((long)blocks.Length * BlockBytes);
        // Whoever cuts blocks alternates with those who rent whole ones: each would stop the thread that keeps what the other one needs next.
        bool alsoKept = countsAsRent || !Held.HasRoom((long)blocks.Length * BlockBytes) || !MayHold(_capacity.Blocks + blocks.Length);
        bool mayReuse = !inOnePiece || Source.IsDivisible;
        bool arePiecesBack = false;
        for (int attempt = 0; ;)
        {
            // Idle memory that does not suffice stays where it is: taken and put back it would look as if it had been needed, and runs would be cut for nothing.
            bool maySuffice = MaySuffice(blocks.Length, alsoKept);
            reused = mayReuse && maySuffice ? TakeIdle(blocks, alsoKept) : 0;
            int missing = blocks.Length - reused;
            bool full = !maySuffice || (missing != 0 && !_capacity.TryReserve(missing));
            if (!full)
            {
                if (missing != 0)
                {
                    Held.KeepToBudget();
                }

                if (inOnePiece
                    ? Source.TryMakeRun(blocks, reused, BlockBytes, _useHugePages)
                    : Source.TryAllocateBlocks(blocks.Slice(reused), BlockBytes, _useHugePages))
                {
                    CountRent(blocks.Length, missing, countsAsRent, assembled: inOnePiece && reused != 0);
                    return true;
                }

                _capacity.Release(missing);
            }

            Return(blocks.Slice(0, reused), wereRented: false);
            if (full)
            {
                // Pieces of blocks that threads keep take up the capacity, and so does idle memory of another shape: they make room. For other pieces they do not: all threads would empty the
                // caches of all others all the time, and an array serves as well.
                bool arePiecesGone = countsAsRent && !arePiecesBack && Trimmer.CutsBlocks && Depot.Caches.PutSmallBack();
                arePiecesBack = true;
                if (!arePiecesGone && !(countsAsRent && (inOnePiece || !Source.IsDivisible) && maySuffice && TryReleaseIdle(missing)))
                {
                    reused = 0;
                    return false;
                }
            }
            else if (inOnePiece && reused != 0)
            {
                // What the system does not move stays where it is: all of the run is fresh then.
                mayReuse = false;
            }
            else
            {
                Recovery.MakeRoom(attempt++, (long)blocks.Length * BlockBytes, inOnePiece ? 1 : blocks.Length);
            }
        }
    }

    /// <summary>A guard that holds nothing yet; counts what the rent it begins changes.</summary>
    /// <remarks>
    /// Guards are parked where memory is returned, which may never be where it is rented: none is made while any stripe has one, so there are never
    /// more than were needed at once.
    /// </remarks>
    /// <param name="smallRents">1 when it is a rent of the small tier that is counted here.</param>
    /// <param name="bytes">Bytes of a piece, or beside blocks, that the rent holds.</param>
    public LifetimeGuard TakeGuard(int smallRents = 0, long bytes = 0)
    {
        foreach (DepotStripe stripe in Depot.FromCurrent)
        {
            if (stripe.TakeGuard(smallRents, bytes) is { } parked)
            {
                return parked;
            }
        }

        // One more than were ever needed at once: that is what forgetting leads to.
        var guard = new LifetimeGuard(Guards);
        guard.RequestSample();
        Accounts.Count(new StripeCounters { SmallRents = smallRents, RentedBytes = bytes });
        return guard;
    }

    private static bool HoldBlocks(LifetimeGuard guard, (BlockPool Pool, MemoryTier Tier, int Count, bool InOnePiece) asked)
    {
        (BlockPool pool, MemoryTier tier, int count, bool inOnePiece) = asked;
        if (inOnePiece && pool.Depot.TryRentRun(tier, count, credit: 0, guard) is not null)
        {
            return true;
        }

        Span<nint> blocks = guard.Reserve(count);
        if (!pool.TryGather(blocks, countsAsRent: true, out int reused, inOnePiece))
        {
            return false;
        }

        guard.SetFresh((long)(count - reused) * pool.BlockBytes);
        if (inOnePiece)
        {
            guard.HoldPiece(tier, blocks[0], (long)count * pool.BlockBytes);
        }
        else
        {
            guard.HoldBlocks(tier, blocks, pool.BlockBytes, pool.BlockBytes);
        }

        return true;
    }

    // Whether idle blocks, and what the pool may still get, are as many. Idle ones are counted only where it matters: it looks at all stripes.
    private bool MaySuffice(int blocks, bool alsoKept) =>
        MayHold(_capacity.Blocks + blocks) || MayHold(_capacity.Blocks + blocks - (int)Trimmer.CountIdle())
        || (alsoKept && Depot.Caches.PutBlocksBack(blocks) != 0 && MayHold(_capacity.Blocks + blocks - (int)Trimmer.CountIdle()));

    private int TakeIdle(Span<nint> blocks, bool alsoKept)
    {
        int taken = Depot.Take(blocks);
        if (alsoKept && taken < blocks.Length && Depot.Caches.PutBlocksBack(blocks.Length - taken) != 0)
        {
            taken += Depot.Take(blocks.Slice(taken));
        }

        foreach (DepotStripe stripe in Depot.FromCurrent)
        {
            while (taken < blocks.Length && Source.IsDivisible && stripe.TrySplitOldestRun())
            {
                taken += Depot.Take(blocks.Slice(taken));
            }
        }

        return taken;
    }

    private void CountRent(int blocks, int fresh, bool countsAsRent, bool assembled)
    {
        if (fresh != 0)
        {
            Accounts.OnAllocated((long)fresh * BlockBytes);
        }

        Accounts.Count(new StripeCounters
        {
            Assembled = assembled ? 1 : 0,
            Hits = countsAsRent && fresh == 0 ? 1 : 0,
            Misses = countsAsRent && fresh != 0 ? 1 : 0,
            RentedBytes = countsAsRent ? (long)blocks * BlockBytes : 0,
        });
    }
}

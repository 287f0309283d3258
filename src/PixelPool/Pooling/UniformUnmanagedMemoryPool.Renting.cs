using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool;

/// <content>Bare blocks for those who use the pool alone, guarded ones for the allocator.</content>
public sealed partial class UniformUnmanagedMemoryPool
{
    /// <summary>Rents as many blocks as <paramref name="blocks"/> has places, or none.</summary>
    /// <param name="blocks">
    /// Gets the addresses: <see cref="BlockBytes"/> bytes each, aligned to 4,096 bytes, with whatever was written there before. Who rents blocks
    /// as bare addresses must return them: nothing finds out when they are forgotten.
    /// </param>
    /// <returns>False when that would be more than <see cref="MaxPooledBytes"/>: nothing was taken.</returns>
    /// <exception cref="OutOfMemoryException">The system has no memory, also after all pools were trimmed. Nothing was taken.</exception>
    /// <exception cref="ObjectDisposedException">The pool was disposed.</exception>
    public bool TryRent(Span<nint> blocks)
    {
        ThrowIfDisposed();
        if (!TryGather(blocks, countsAsRent: true, out _))
        {
            return false;
        }

        bool registered = false;
        try
        {
            _register.Add(blocks);
            registered = true;
        }
        finally
        {
            if (!registered)
            {
                ReturnUncounted(blocks);
            }
        }

        GC.KeepAlive(this);
        return true;
    }

    /// <summary>Returns blocks that <see cref="TryRent"/> gave, in any order and grouping, from any thread.</summary>
    /// <param name="blocks">The addresses. After the call the memory may belong to somebody else.</param>
    /// <exception cref="InvalidMemoryOperationException">
    /// An address was not rented from this pool, was returned already, or is named twice. Nothing was returned.
    /// </exception>
    public void Return(ReadOnlySpan<nint> blocks)
    {
        if (!_register.TryRemove(blocks))
        {
            Throw.InvalidMemoryOperation("A block was not rented from this pool, was returned already, or is named twice. Nothing was returned.");
        }

        if (ClearOnReturn)
        {
            foreach (nint block in blocks)
            {
                BlockSource.Clear(block, BlockBytes);
            }
        }

        ReturnUncounted(blocks);
        GC.KeepAlive(this);
    }

    /// <summary>Rents blocks under a guard.</summary>
    /// <param name="count">Blocks.</param>
    /// <param name="reused">How many of them, the first ones, somebody may have written to before.</param>
    /// <returns>Null when that would be more than the capacity: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal LifetimeGuard? TryRentGuarded(int count, out int reused)
    {
        LifetimeGuard? guard = CurrentStripe.TryRent(count, BlockBytes);
        if (guard is null)
        {
            return TryGatherGuarded(count, out reused);
        }

        reused = count;
        return guard;
    }

    /// <summary>
    /// Takes blocks from the current stripe, then from its neighbours, then from the system. All or nothing: when the k-th block can not be
    /// had, the ones before it go back where they came from, and every counter is as it was.
    /// </summary>
    /// <param name="blocks">Gets the addresses.</param>
    /// <param name="countsAsRent">False for blocks that are cut into pieces: the pieces are the rents.</param>
    /// <param name="reused">How many of them, the first ones, somebody may have written to before.</param>
    /// <returns>False when that would be more than the capacity.</returns>
    internal bool TryGather(Span<nint> blocks, bool countsAsRent, out int reused)
    {
        reused = 0;
        if (blocks.Length > _maxBlocks)
        {
            return false;
        }

        for (int attempt = 0; ;)
        {
            reused = TakeIdle(blocks);
            Span<nint> missing = blocks.Slice(reused);
            bool full = !TryReserveCapacity(missing.Length);
            if (!full && _source.TryAllocateBlocks(missing, BlockBytes, _useHugePages))
            {
                CountRent(blocks.Length, missing.Length, countsAsRent);
                return true;
            }

            if (!full)
            {
                Interlocked.Add(ref _allocatedBlocks, -missing.Length);
            }

            MakeIdle(blocks.Slice(0, reused));
            reused = 0;
            if (full)
            {
                if (!_source.IsDivisible && TryReleaseIdle(missing.Length, alsoSingle: false))
                {
                    continue;
                }

                return false;
            }

            if (!Recovery.TryMakeRoom(attempt++, (long)blocks.Length * BlockBytes))
            {
                Throw.OutOfMemory((long)blocks.Length * BlockBytes, blocks.Length, (long)Volatile.Read(ref _allocatedBlocks) * BlockBytes);
            }

            ThrowIfDisposed();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? TryGatherGuarded(int count, out int reused)
    {
        ThrowIfDisposed();
        reused = 0;
        if (count > _maxBlocks)
        {
            return null;
        }

        LifetimeGuard guard = TakeGuard();
        bool gathered = false;
        try
        {
            gathered = TryGather(guard.Reserve(count), countsAsRent: true, out reused);
            if (gathered)
            {
                guard.SetFresh((long)(count - reused) * BlockBytes);
                guard.HoldBlocks(count);
                guard.AskForLook();
            }

            return gathered ? guard : null;
        }
        finally
        {
            if (!gathered)
            {
                ParkGuard(guard);
            }
        }
    }

    /// <summary>A guard that holds nothing yet; counts what the rent it begins changes.</summary>
    /// <remarks>
    /// Guards are parked where memory is returned, which may never be where it is rented: none is made while any stripe has one, so there are never
    /// more than were needed at once.
    /// </remarks>
    internal LifetimeGuard TakeGuard(int smallRents = 0, long bytes = 0)
    {
        int start = CurrentStripeIndex;
        for (int i = 0; i < _stripes.Length; i++)
        {
            if (StripeAt(start + i).TakeGuard(smallRents, bytes) is { } parked)
            {
                return parked;
            }
        }

        // One more than were ever needed at once: that is what forgetting leads to.
        var guard = new LifetimeGuard(this, blockCapacity: 1);
        guard.AskForLook();
        Count(new StripeCounters { SmallRents = smallRents, RentedBytes = bytes, AllocatedBytes = bytes });
        ObserveGuardPeak();
        return guard;
    }

    private int TakeIdle(Span<nint> blocks)
    {
        int taken = 0;
        int start = CurrentStripeIndex;
        for (int i = 0; i < _stripes.Length && taken < blocks.Length; i++)
        {
            taken += StripeAt(start + i).Take(blocks.Slice(taken));
        }

        for (int i = 0; i < _stripes.Length && taken < blocks.Length && _source.IsDivisible; i++)
        {
            DepotStripe stripe = StripeAt(start + i);
            while (taken < blocks.Length && stripe.TrySplitOldestRun(BlockBytes))
            {
                taken += stripe.Take(blocks.Slice(taken));
            }
        }

        return taken;
    }

    private bool TryReserveCapacity(int blocks)
    {
        if (blocks == 0)
        {
            return true;
        }

        if (Interlocked.Add(ref _allocatedBlocks, blocks) <= _maxBlocks)
        {
            KeepToBudget();
            return true;
        }

        Interlocked.Add(ref _allocatedBlocks, -blocks);
        return false;
    }

    private void CountRent(int blocks, int fresh, bool countsAsRent, bool assembled = false)
    {
        CurrentStripe.Count(new StripeCounters
        {
            Assembled = assembled ? 1 : 0,
            Hits = countsAsRent && fresh == 0 ? 1 : 0,
            Misses = countsAsRent && fresh != 0 ? 1 : 0,
            RentedBytes = (long)blocks * BlockBytes,
            AllocatedBytes = (long)fresh * BlockBytes,
        });
        if (fresh != 0)
        {
            ObservePeak();
            ReportAllocated((long)fresh * BlockBytes);
        }
    }
}

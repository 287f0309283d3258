using PixelPool.Threading;

namespace PixelPool.Budgets;

// Those who wait, and who may pass them. The lock is only taken while somebody waits.
internal sealed partial class MemoryBudget
{
    private readonly UninterruptibleLock _line = new();
    private readonly WaitLine _waiters;

    // Whether anybody ever asked for little. Then those who hold much may need a little more to finish: when it is full to the last byte, all of them stop. So while several wait, the last
    // bytes, as many as a small request may have, are left to those. A hint, without the lock.
    private bool _isLittleAsked;

    /// <summary>Gets in line for a charge of this budget only. It may be granted before the call returns.</summary>
    public void Join(BudgetWaiter waiter)
    {
        // Before the others see that somebody waits: otherwise they would overtake with what stripes keep for them. It ends when the waiter is removed: so a recall runs as long as the bit is set.
        BeginRecall();
        using (_line.Hold())
        {
            _waiters.Add(waiter);
            waiter.State = WaiterState.InLine;
            if (_waiters.Count == 1)
            {
                // From here on every release sees that somebody waits; what was released before, Serve sees.
                Interlocked.Add(ref _state, Waiting);
            }
        }

        Serve();
    }

    /// <summary>Gives the place in line up, unless the charge was granted: then it is the owner's to use or to release.</summary>
    /// <param name="waiter">The place.</param>
    /// <param name="comesBack">Whether the request comes back to it.</param>
    /// <returns>True for the one call that ended the request: it wakes who waits.</returns>
    public bool TryLeave(BudgetWaiter waiter, bool comesBack = false)
    {
        using (_line.Hold())
        {
            if (waiter.State != WaiterState.InLine)
            {
                return false;
            }

            Remove(waiter, WaiterState.OutOfLine, comesBack);
        }

        // Those behind it may be smaller.
        Serve();
        return true;
    }

    /// <summary>Hands a piece, of a block that is charged, to the first in line that it serves.</summary>
    /// <returns>False when there is none: it is still the caller's.</returns>
    public bool TryHand(IPieceSource pieces, object slab, nint address)
    {
        BudgetWaiter? waiter;
        using (_line.Hold())
        {
            waiter = _waiters.FirstFor(pieces);
            if (waiter is null)
            {
                return false;
            }

            waiter.Piece = (slab, address);
            Remove(waiter, WaiterState.Handed);
        }

        waiter.Wake();

        // Those behind it may be smaller.
        Serve();
        return true;
    }

    /// <summary>Whether so many bytes are free in this budget now, whoever waits for them.</summary>
    public bool HasRoom(long bytes) => HasRoom(Volatile.Read(ref _state), bytes, refusing: Closed);

    /// <summary>To be called every second while somebody waits: if nobody was let in for a while, whoever fits is, for some time.</summary>
    /// <param name="keptBytes">Bytes that are charged to it for requests that wait further out.</param>
    /// <returns>Whether those bytes are missing: somebody who still waits would be let in with them.</returns>
    public bool LookForStall(long keptBytes)
    {
        using (_line.Hold())
        {
            if (!_waiters.LookForStall())
            {
                return false;
            }
        }

        Serve(toTheLastByte: true);
        using (_line.Hold())
        {
            return keptBytes != 0 && _waiters.FirstThatFits(RoomBytes - Bytes + keptBytes) is not null;
        }
    }

    /// <summary>Lets those in who are next, as far as there is room.</summary>
    /// <param name="toTheLastByte">Leaves nothing free for small requests.</param>
    public void Serve(bool toTheLastByte = false)
    {
        while (TryGrant(toTheLastByte) is { } waiter)
        {
            waiter.Wake();
        }
    }

    private BudgetWaiter? TryGrant(bool toTheLastByte)
    {
        using (_line.Hold())
        {
            BudgetWaiter? waiter = _waiters.IsStalled ? _waiters.FirstThatFits(RoomBytes - Bytes) : _waiters.Next;
            if (waiter is null || !HasRoom(waiter.Bytes + (toTheLastByte ? 0 : SpareBytes(waiter))) || ChargeOnce(Next, waiter.Bytes, refusing: Closed) is not null)
            {
                return null;
            }

            Remove(waiter, WaiterState.Granted);
            return waiter;
        }
    }

    private void Remove(BudgetWaiter waiter, WaiterState state, bool comesBack = false)
    {
        _waiters.Remove(waiter, isGranted: state == WaiterState.Granted, comesBack);
        waiter.State = state;
        if (_waiters.Count == 0)
        {
            // To add the highest bit a second time clears it.
            Interlocked.Add(ref _state, Waiting);
        }

        _accounts?.Recall.End();
    }

    private void NoteSize(long bytes)
    {
        for (MemoryBudget? budget = this; budget is not null; budget = budget.Next)
        {
            if (!budget._isLittleAsked && bytes <= budget.SmallBytes)
            {
                budget._isLittleAsked = true;
            }
        }
    }

    // What has to stay free when a request is granted; less if it could never be granted otherwise.
    private long SpareBytes(BudgetWaiter waiter) =>
        waiter.Rank == WaitRank.SmallOfHolder || _waiters.Count == 1 || !_isLittleAsked ? 0 : Math.Min(SmallBytes, RoomBytes - waiter.Bytes);

    // Those who wait do not mind so little.
    private bool LetsPass(long bytes) => bytes <= SmallBytes && _waiters.LetsPass(bytes) && HasRoom(bytes + SmallBytes);

    private bool TryPass(MemoryBudget? end, long bytes)
    {
        bool isWaitedFor = false;
        for (MemoryBudget budget = this; budget != end; budget = budget.Next!)
        {
            isWaitedFor |= budget.IsWaitedFor;
            if (budget.IsWaitedFor && !budget.LetsPass(bytes))
            {
                return false;
            }
        }

        if (!isWaitedFor || !TryCharge(end, bytes, refusing: Closed))
        {
            return false;
        }

        for (MemoryBudget budget = this; budget != end; budget = budget.Next!)
        {
            if (budget.IsWaitedFor)
            {
                budget._waiters.CountPassed(bytes);

                // Another one may be next from now on, and fit.
                budget.Serve();
            }
        }

        return true;
    }
}

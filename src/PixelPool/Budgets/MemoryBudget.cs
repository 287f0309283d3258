using PixelPool.Accounts;
using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// Bytes that may be rented at once: by an allocator, or by a scope within it. Charged before memory is taken, with the bytes that are really held, and
/// released exactly once, when they went back.
/// </summary>
/// <remarks>
/// Invariants. One word holds the charged bytes, never more than the limit, and a bit that says that requests wait. While it is set nobody but the first
/// of them is charged, so none is overtaken; a release that finds it set lets those in that fit now. A scope's charge goes to its parent as well, in one
/// go: nobody ever sees a charge that is taken back because another budget refused it, and nobody is refused because of one. A
/// reservation's does not: its parent was charged with all of it when it was made, and gets the rest back when it is closed, and what is still rented then as
/// it is returned. An allocator's budget may leave bytes with the stripes that return them (<see cref="StripeCredit"/>): they stay charged, and the next rents use
/// them without a look at the budget. Before it refuses anybody, and as long as somebody waits, it has them all back: so what is refused never would have fit.
/// </remarks>
internal sealed partial class MemoryBudget : RentBudget
{
    private const long Waiting = long.MinValue;
    private const long Closed = 1L << 62;

    private readonly MemoryBudget? _parent;
    private readonly bool _isRoot;

    // Where stripes keep credit of this budget; null where none do.
    private readonly MemoryAccounts? _accounts;

    // Of the outermost budget that charges go to. Whoever charges one within that holds it, so what is found to fit there still fits a moment later.
    private readonly UninterruptibleLock _inward;

    // The limit, or all that the bits of the state have room for.
    private readonly long _room;
    private long _state;

    /// <summary>The budget of an allocator.</summary>
    /// <param name="limitBytes">The most bytes that may be charged.</param>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="accounts">Those of the allocator, whose stripes keep credit; null when nothing does.</param>
    public MemoryBudget(long limitBytes, string allocator = "PixelAllocator", MemoryAccounts? accounts = null)
        : this(limitBytes, parent: null, isReservation: false)
    {
        _isRoot = true;
        _accounts = accounts;
        Description = $"budget of the allocator \"{allocator}\"";
    }

    /// <summary>The budget of a scope.</summary>
    /// <param name="limitBytes">The most bytes that may be charged.</param>
    /// <param name="parent">That of the scope around it, or of the allocator, if it has one.</param>
    /// <param name="isReservation">True when <paramref name="limitBytes"/> are charged to the parent already.</param>
    public MemoryBudget(long limitBytes, MemoryBudget? parent, bool isReservation)
    {
        LimitBytes = limitBytes;
        _room = Math.Min(limitBytes, Closed - 1);
        _parent = parent;
        IsReservation = isReservation;
        _inward = Next?._inward ?? new UninterruptibleLock();
        Description = isReservation ? "reservation of a scope from ReserveScope" : "budget of a scope from CreateScope";
    }

    public long LimitBytes { get; }

    /// <summary>Whose budget it is, for those whom it refuses; stands behind "the".</summary>
    public string Description { get; }

    /// <summary>Bytes that are charged and that somebody holds.</summary>
    public long ChargedBytes => _accounts is null ? Bytes : ReadWithoutCredit(_accounts);

    /// <summary>True when all of it is charged to the parent already. A request in a reservation does not wait: it would wait for itself.</summary>
    public bool IsReservation { get; }

    public override MemoryBudget Payee => this;

    /// <summary>The next budget that a charge goes to.</summary>
    public MemoryBudget? Next => IsReservation ? null : _parent;

    public override bool TryCharge(long bytes, bool belowRoot = false) =>
        TryChargeOnce(bytes, belowRoot, out MemoryBudget? refusing)
        || (refusing is { _accounts: not null, IsWaitedFor: false } && bytes <= refusing._room && TryChargeAfterRecall(refusing, bytes, belowRoot));

    public override void Refund(long bytes, bool belowRoot = false) => Release(bytes, belowRoot);

    /// <summary>Takes a charge back, everywhere.</summary>
    public void Release(long bytes, bool belowRoot = false)
    {
        if (belowRoot && _isRoot)
        {
            return;
        }

        ReleaseAlone(bytes);
        Next?.Release(bytes, belowRoot);
    }

    /// <summary>Charges this budget only, unless somebody waits for it.</summary>
    public bool TryChargeAlone(long bytes) => TryChargeAlone(bytes, refusing: Waiting | Closed);

    public void ReleaseAlone(long bytes)
    {
        long state = Interlocked.Add(ref _state, -bytes);
        if (state < 0)
        {
            LetIn();
        }

        if ((state & Closed) != 0)
        {
            _parent?.Release(bytes);
        }
    }

    /// <summary>Ends a reservation: the parent gets back what is not rented now, and the rest when it is returned. Idempotent.</summary>
    public void Close()
    {
        long state = Volatile.Read(ref _state);
        while ((state & Closed) == 0)
        {
            long seen = Interlocked.CompareExchange(ref _state, state | Closed, state);
            if (seen == state)
            {
                _parent?.Release(LimitBytes - (state & ~Waiting));
                return;
            }

            state = seen;
        }
    }

    /// <summary>Takes back what stripes keep credit for.</summary>
    public void TakeCreditBack()
    {
        long bytes = _accounts?.TakeCredit().Bytes ?? 0;
        if (bytes != 0)
        {
            ReleaseAlone(bytes);
        }
    }

    /// <summary>The budget that refuses <paramref name="bytes"/>: the first that has no room for them now, or for which others wait.</summary>
    public MemoryBudget RefusedBy(long bytes)
    {
        for (MemoryBudget? budget = this; budget is not null; budget = budget.Next)
        {
            if (bytes > budget._room - budget.Bytes || budget.IsWaitedFor)
            {
                return budget;
            }
        }

        return this;
    }

    /// <summary>Whether the bytes fit when nothing else is rented.</summary>
    public bool CanEverHold(long bytes) => bytes <= _room && (Next is null || Next.CanEverHold(bytes));

    private bool TryChargeOnce(long bytes, bool belowRoot, out MemoryBudget? refusing)
    {
        refusing = null;
        if (Next is null)
        {
            return (belowRoot && _isRoot) || TryAdd(bytes, Waiting | Closed, out refusing);
        }

        using (_inward.Hold())
        {
            MemoryBudget budget = this;
            for (; budget.Next is { } next; budget = next)
            {
                if (!budget.HasRoom(Volatile.Read(ref budget._state), bytes, refusing: Waiting | Closed))
                {
                    return false;
                }
            }

            // The outermost one is charged by others, too, without the lock: so it decides.
            if (!(belowRoot && budget._isRoot) && !budget.TryAdd(bytes, Waiting | Closed, out refusing))
            {
                return false;
            }

            for (budget = this; budget.Next is { } next; budget = next)
            {
                Interlocked.Add(ref budget._state, bytes);
            }

            return true;
        }
    }

    // While it lasts nothing is left with any stripe, so the budget says exactly what is held.
    private bool TryChargeAfterRecall(MemoryBudget root, long bytes, bool belowRoot)
    {
        root._accounts!.BeginRecall();
        try
        {
            root.TakeCreditBack();
            return TryChargeOnce(bytes, belowRoot, out _);
        }
        finally
        {
            root._accounts.EndRecall();
        }
    }

    private bool TryChargeAlone(long bytes, long refusing)
    {
        if (Next is null)
        {
            return TryAdd(bytes, refusing);
        }

        using (_inward.Hold())
        {
            return TryAdd(bytes, refusing);
        }
    }

    // At one moment: bytes that were charged after they were read, and came back as credit before that was, would be missing.
    private long ReadWithoutCredit(MemoryAccounts accounts)
    {
        accounts.Halt();
        long bytes = Bytes - accounts.SumCredit();
        accounts.GoOn();
        return bytes;
    }

    private long Bytes => Volatile.Read(ref _state) & ~(Waiting | Closed);

    private bool IsWaitedFor => Volatile.Read(ref _state) < 0;

    private bool TryAdd(long bytes, long refusing, out MemoryBudget? refusedBy)
    {
        refusedBy = TryAdd(bytes, refusing) ? null : this;
        return refusedBy is null;
    }

    private bool TryAdd(long bytes, long refusing)
    {
        long state = Volatile.Read(ref _state);
        while (HasRoom(state, bytes, refusing))
        {
            long seen = Interlocked.CompareExchange(ref _state, state + bytes, state);
            if (seen == state)
            {
                return true;
            }

            state = seen;
        }

        return false;
    }

    private bool HasRoom(long state, long bytes, long refusing) => (state & refusing) == 0 && bytes <= _room - (state & ~(Waiting | Closed));
}

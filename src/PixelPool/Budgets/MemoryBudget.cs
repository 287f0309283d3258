using PixelPool.Accounts;
using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// Bytes that may be rented at once: by an allocator, or by a scope within it. Charged before memory is taken, with the bytes that are really held, and
/// released exactly once, when they went back.
/// </summary>
/// <remarks>
/// Invariants. One word holds the charged bytes, never more than the limit, and a bit that says that requests wait. While it is set nobody is charged but
/// the next of them, and what is so small that it may pass them (<see cref="WaitLine"/>); a release that finds it set lets those in that fit now. A scope's charge goes to its parent as well, in one
/// go: nobody ever sees a charge that is taken back because another budget refused it, and nobody is refused because of one. A
/// reservation's does not: its parent was charged with all of it when it was made, and gets the rest back when it is closed, and what is still rented then as
/// it is returned. An allocator's budget may leave bytes of blocks with the stripes that return them, as credit, and all that threads keep with these: it stays charged, and
/// the next rents use it without a look at the budget. Before it refuses anybody it looks whether that would make room, and takes it back then; while somebody waits it has all
/// of it. So what is refused would not have fit.
/// </remarks>
internal sealed partial class MemoryBudget : RentBudget
{
    // A request is small if it is at most this part of the budget.
    private const int SmallDivisor = 64;

    // A scope disposes those in it, and asks those around it: the innermost must not reach the end of the stack.
    private const int MostNested = 256;
    private const long Waiting = long.MinValue;
    private const long Closed = 1L << 62;

    private readonly MemoryBudget? _parent;
    private readonly int _nested;

    // Where stripes keep credit of this budget; null where none do.
    private readonly MemoryAccounts? _accounts;

    // Held while credit, or the charge of what threads keep, is on its way from the stripes to the state: who looks at both finds it in one of them.
    private readonly FairLock _recall = new();

    // One lock for all budgets nested in one that itself is nested only in the outermost, which needs none. Whoever charges a nested one holds it, so what is found to fit there still fits when it
    // is added.
    private readonly UninterruptibleLock _inward;

    private long _state;

    /// <summary>The budget of an allocator.</summary>
    /// <param name="limitBytes">The most bytes that may be charged.</param>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="accounts">Those of the allocator, whose stripes keep credit; null when nothing does.</param>
    public MemoryBudget(long limitBytes, string allocator = "PixelAllocator", MemoryAccounts? accounts = null)
        : this(limitBytes, parent: null, isReservation: false)
    {
        IsRoot = true;
        _accounts = accounts;
        Description = $"budget of the allocator \"{allocator}\"";
        Advice = "Its limit is PixelAllocatorOptions.MaxRentedBytes";
    }

    /// <summary>The budget of a scope.</summary>
    /// <param name="limitBytes">The most bytes that may be charged.</param>
    /// <param name="parent">That of the scope around it, or of the allocator, if it has one.</param>
    /// <param name="isReservation">True when <paramref name="limitBytes"/> are charged to the parent already.</param>
    public MemoryBudget(long limitBytes, MemoryBudget? parent, bool isReservation)
    {
        _nested = parent is null ? 0 : parent._nested + 1;
        if (_nested > MostNested)
        {
            Throw.InvalidMemoryOperation($"Scopes cannot lie in one another more than {MostNested} deep. Dispose those that have ended.");
        }

        LimitBytes = limitBytes;
        RoomBytes = Math.Min(limitBytes, Closed - 1);
        _waiters = new WaitLine(limitBytes);
        _parent = parent;
        IsReservation = isReservation;
        _inward = Next is { Next: not null } nested ? nested._inward : new UninterruptibleLock();
        Description = isReservation ? "reservation of a scope from ReserveScope" : "budget of a scope from CreateScope";
        Advice = isReservation ? "Reserve more" : "Its limit is the argument of CreateScope";
    }

    public long LimitBytes { get; }

    /// <summary>The limit, or all that the bits of the state have room for.</summary>
    public long RoomBytes { get; }

    /// <summary>What is at most so large is small against the budget: it may pass others that wait.</summary>
    public long SmallBytes => LimitBytes / SmallDivisor;

    /// <summary>Whose budget it is, for those whom it refuses; stands behind "the".</summary>
    public string Description { get; }

    /// <summary>What those can do whom it refuses; a sentence without its end.</summary>
    public string Advice { get; }

    /// <summary>Bytes that are charged and that somebody holds.</summary>
    public long ChargedBytes
    {
        get
        {
            if (_accounts is null)
            {
                return Bytes;
            }

            using (_recall.Hold())
            {
                return BytesOf(_accounts.ReadCharge(ref _state));
            }
        }
    }

    /// <summary>Whether it is an allocator's own.</summary>
    public bool IsRoot { get; }

    /// <summary>Whether requests wait for it.</summary>
    public bool IsWaitedFor => Volatile.Read(ref _state) < 0;

    /// <summary>True when all of it is charged to the parent already. A request in a reservation does not wait: it would wait for itself.</summary>
    public bool IsReservation { get; }

    /// <summary>Whether what is charged to it is a part of what was reserved, and is listed with that.</summary>
    public bool IsReservedPart => IsReserved || _parent?.IsReservedPart == true;

    /// <summary>Whether a charge of this budget is one of that one, and not a part of what was reserved from that.</summary>
    public bool CountsIn(MemoryBudget outer) => this == outer || (!IsReserved && _parent?.CountsIn(outer) == true);

    public override MemoryBudget Payee => this;

    /// <summary>The next budget that a charge goes to.</summary>
    public MemoryBudget? Next => IsReservation ? null : _parent;

    public override bool TryCharge(long bytes, bool belowRoot = false)
    {
        NoteSize(bytes);
        return TryChargeUpTo(belowRoot ? Root : null, bytes);
    }

    public override void Release(long bytes, bool belowRoot = false) => ReleaseUpTo(belowRoot ? Root : null, bytes);

    /// <summary>Charges this budget and those around it, unless others that wait for one of them come first.</summary>
    /// <param name="end">The first one that is left out; null: none.</param>
    /// <param name="bytes">Bytes to be charged to each.</param>
    public bool TryChargeUpTo(MemoryBudget? end, long bytes) => TryCharge(end, bytes, refusing: Waiting | Closed) || TryPass(end, bytes);

    /// <summary>Takes a charge back of this budget and those around it.</summary>
    /// <param name="end">The first one that is left out; null: none.</param>
    /// <param name="bytes">Bytes that were charged to each.</param>
    /// <param name="toTheLastByte">See <see cref="Serve"/>.</param>
    public void ReleaseUpTo(MemoryBudget? end, long bytes, bool toTheLastByte = false)
    {
        for (MemoryBudget budget = this; budget != end; budget = budget.Next!)
        {
            long state = Interlocked.Add(ref budget._state, -bytes);
            if (state < 0)
            {
                budget.Serve(toTheLastByte);
            }

            if ((state & Closed) != 0)
            {
                budget._parent?.Release(bytes);
            }
        }
    }

    /// <summary>Ends a reservation: the parent gets back what is not rented now, and the rest when it is returned. Once.</summary>
    public void Close()
    {
        long rentedBytes = BytesOf(Interlocked.Add(ref _state, Closed));
        _parent?.Release(LimitBytes - rentedBytes);
    }

    /// <summary>Before anything that is charged and idle is taken from where it is kept.</summary>
    public IdleHold HoldIdle() => new(this, _recall.Hold());

    /// <summary>See <see cref="IdleHold.EndCharge"/>.</summary>
    public void EndIdleCharge(long bytes) => Interlocked.Add(ref _state, -bytes);

    /// <summary>The budget that refuses <paramref name="bytes"/>: one that can never have room for them; otherwise the first that has none now, or for which others wait; the outermost one if by now none does.</summary>
    public MemoryBudget RefusedBy(long bytes)
    {
        MemoryBudget? refusing = null;
        for (MemoryBudget? budget = this; budget is not null; budget = budget.Next)
        {
            if (bytes > budget.RoomBytes)
            {
                return budget;
            }

            // The outermost one is not looked at: that may stop others.
            if (refusing is null && (budget.Next is null || bytes > budget.RoomBytes - budget.ChargedBytes || budget.IsWaitedFor))
            {
                refusing = budget;
            }
        }

        return refusing!;
    }

    /// <summary>Whether the bytes fit, here and in all budgets around it, when nothing else is rented. A reservation was charged to those when it was made.</summary>
    public bool CanEverHold(long bytes) => bytes <= RoomBytes && (Next is null || Next.CanEverHold(bytes));

    // The allocator's own, if one is around it.
    private MemoryBudget? Root => IsRoot ? this : Next?.Root;

    private bool TryCharge(MemoryBudget? end, long bytes, long refusing) =>
        ChargeOnce(end, bytes, refusing) is not { } refusedBy || refusedBy.TryAfterRecall(this, end, bytes, refusing);

    // Null when all were charged; otherwise the one that refused, and none was.
    private MemoryBudget? ChargeOnce(MemoryBudget? end, long bytes, long refusing)
    {
        if (Next is null)
        {
            return this == end || TryAdd(bytes, refusing) ? null : this;
        }

        using (_inward.Hold())
        {
            MemoryBudget last = this;
            for (; last.Next != end; last = last.Next!)
            {
                if (!last.HasRoom(Volatile.Read(ref last._state), bytes, refusing))
                {
                    return last;
                }
            }

            // If it is the outermost one it is charged by others, too, without the lock: so it decides.
            if (!last.TryAdd(bytes, refusing))
            {
                return last;
            }

            for (MemoryBudget budget = this; budget != last; budget = budget.Next!)
            {
                Interlocked.Add(ref budget._state, bytes);
            }

            return null;
        }
    }

    // Where stripes have credit of the budget. What would not fit with all of that is refused, and takes nothing from anybody. Otherwise all credit comes back, and as much of what threads keep as it takes:
    // if that is all of it, the state says exactly what is held.
    private bool TryAfterRecall(MemoryBudget inner, MemoryBudget? end, long bytes, long refusing)
    {
        if (_accounts is not { } accounts || IsWaitedFor)
        {
            return false;
        }

        bool charged = false;
        using (IdleHold hold = HoldIdle())
        {
            if (bytes > RoomBytes - BytesOf(accounts.ReadCharge(ref _state)))
            {
                return false;
            }

            accounts.Recall.Begin();
            hold.EndCharge(accounts.TakeCredit());
            charged = inner.ChargeOnce(end, bytes, refusing) is null;
        }

        for (bool isLeft = true; !charged && isLeft;)
        {
            isLeft = accounts.PutBack();

            // What others took from threads meanwhile, as a trim does, has ended its charge then.
            using (HoldIdle())
            {
                charged = inner.ChargeOnce(end, bytes, refusing) is null;
            }
        }

        accounts.Recall.End();
        return charged;
    }

    // From now on stripes and threads keep nothing of the budget, and have nothing: until the recall ends.
    private void BeginRecall()
    {
        if (_accounts is null)
        {
            return;
        }

        _accounts.Recall.Begin();

        // While somebody waits they have none.
        if (!IsWaitedFor)
        {
            using (IdleHold hold = HoldIdle())
            {
                hold.EndCharge(_accounts.TakeCredit());
            }

            while (_accounts.PutBack())
            {
                // One after the other.
            }
        }
    }

    // A reservation, until it is closed.
    private bool IsReserved => IsReservation && (Volatile.Read(ref _state) & Closed) == 0;

    private long Bytes => BytesOf(Volatile.Read(ref _state));

    private bool TryAdd(long bytes, long refusing)
    {
        for (long state = Volatile.Read(ref _state); HasRoom(state, bytes, refusing); state = Volatile.Read(ref _state))
        {
            if (Interlocked.CompareExchange(ref _state, state + bytes, state) == state)
            {
                return true;
            }
        }

        return false;
    }

    private bool HasRoom(long state, long bytes, long refusing) => (state & refusing) == 0 && bytes <= RoomBytes - BytesOf(state);

    private static long BytesOf(long state) => state & ~(Waiting | Closed);
}

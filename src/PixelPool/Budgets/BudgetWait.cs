namespace PixelPool.Budgets;

/// <summary>
/// One request's way through the lines of its budgets, from the innermost scope outwards. It keeps what it was granted while it waits for the next one. Others of
/// its scope may wait for just that, and hold what it waits for itself: when nobody goes on there, it gives that back and begins anew (<see cref="StepBack"/>).
/// It also begins anew where what it got is not enough (<see cref="BeginAnew"/>). All that is one wait, and has one place in the order of those who wait. At last it pays for the memory that is taken
/// with what was granted: bytes that are charged already; or a piece of a block that is charged, and bytes of all budgets but the allocator's. What is not used goes back at its end.
/// </summary>
/// <remarks>
/// One thread, or one asynchronous method, goes the way. Others end it (<see cref="End"/>) at any time and together: whether the request was granted or gave up is
/// decided under the lock of the line, and read from its state, whatever interrupts or fails in between.
/// </remarks>
/// <param name="budget">The innermost budget.</param>
/// <param name="bytes">Bytes to be charged to it and to all around it.</param>
/// <param name="requests">Those of the allocator. Told of the wait, and of a refusal.</param>
/// <param name="caller">Who asks.</param>
/// <param name="continuation">What <see cref="BudgetWaiter.TryHandOver"/> hands the request to; null when <see cref="Block"/> is called.</param>
/// <param name="cancellationToken">Ends the request.</param>
internal sealed partial class BudgetWait(
    MemoryBudget budget, long bytes, BudgetRequests requests, IWaitCaller caller, IThreadPoolWorkItem? continuation, CancellationToken cancellationToken = default)
    : RentBudget, IDisposable
{
    // Whoever began first, in any line.
    private static long s_lastOrder;

    private readonly MemoryBudget _budget = budget;
    private readonly long _order = Interlocked.Increment(ref s_lastOrder);

    // The next budget to be charged, and the place in its line. It is the allocator's, and is not charged, when a piece serves; null when all are.
    private MemoryBudget? _level = budget;
    private BudgetWaiter? _waiter;

    // Bytes that are charged to those before, and not used.
    private long _left = bytes;

    private long _bytes = bytes;
    private long _heldBytes;

    /// <summary>Who asks.</summary>
    public IWaitCaller Caller => caller;

    /// <summary>Bytes that it asks for.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>The budget in whose line it is, or was last.</summary>
    public MemoryBudget Budget => Volatile.Read(ref _waiter)?.Budget ?? _budget;

    /// <summary>Whether it waits in a line now: it was neither granted what it asks for there, nor has it ended.</summary>
    public bool StandsInLine => Volatile.Read(ref _waiter) is { State: WaiterState.InLine };

    /// <summary>When the wait began; null when the application's clock did not say.</summary>
    public TimeSpan? Began { get; set; }

    /// <summary>Whether it was part of a deadlock when it was reported, because it has waited long; null: it was not.</summary>
    public bool? WasDeadlock { get; set; }

    /// <summary>The place among all that wait in the allocator, which the request keeps when it waits no more; null before. Where it lies is guarded by their lock.</summary>
    public LinkedListNode<BudgetWait>? Place { get; set; }

    public override MemoryBudget Payee => _budget;

    /// <summary>The request asks again: what it was granted is not enough. That is given back.</summary>
    /// <param name="neededBytes">Bytes to be charged to the innermost budget and to all around it.</param>
    public void BeginAnew(long neededBytes)
    {
        GiveBack();
        _left = neededBytes;
        Volatile.Write(ref _bytes, neededBytes);
    }

    /// <summary>Charges one budget after the other, until one has no room.</summary>
    /// <returns>The place in that one's line, to be waited at before the next call; null when everything is charged, or a piece serves.</returns>
    /// <exception cref="PixelBudgetExceededException">The bytes would not fit into an empty budget, the time is over, or a reservation has no room.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The allocator or the scope was disposed.</exception>
    public BudgetWaiter? Next()
    {
        if (!_budget.CanEverHold(Bytes))
        {
            throw requests.Explain(_budget.RefusedBy(Bytes), Bytes);
        }

        while (_level is not null)
        {
            switch (_waiter?.State)
            {
                case null when !_level.TryChargeUpTo(_level.Next, Bytes):
                    Join(_level);
                    break;

                case null or WaiterState.Granted:
                    _waiter = null;
                    _level = _level.Next;
                    break;

                case WaiterState.InLine:
                    return _waiter;

                case WaiterState.Handed:
                    return null;

                case var _ when HasEnded:
                    throw Explain(_level);

                default:
                    GiveBack(toTheLastByte: true);
                    break;
            }
        }

        return null;
    }

    public override bool TryCharge(long bytes, bool belowRoot = false)
    {
        if (belowRoot != HasPiece || bytes > _left)
        {
            return _budget.TryCharge(bytes, belowRoot);
        }

        _left -= bytes;
        return true;
    }

    public override void Release(long bytes, bool belowRoot = false)
    {
        if (belowRoot != HasPiece)
        {
            _budget.Release(bytes, belowRoot);
        }
        else
        {
            _left += bytes;
        }
    }

    public override (object Slab, nint Address)? TakePiece() => _waiter?.TakePiece();

    /// <summary>Whether its bytes are charged to a budget while it waits further out.</summary>
    public bool Keeps(MemoryBudget inner) => _budget.CountsIn(inner) && !Budget.CountsIn(inner);

    /// <summary>Unless it was granted or has ended, the request leaves its line, gives back what it was granted further in, and begins anew. From any thread.</summary>
    public void StepBack() => Leave(Volatile.Read(ref _waiter), comesBack: true);

    /// <summary>Ends the wait, and gives back what was granted and not used.</summary>
    public void Dispose()
    {
        // What ended it comes too late if all was granted.
        WaitOutcome outcome = _level is null || HasPiece ? WaitOutcome.Granted : (WaitOutcome)Volatile.Read(ref _end);
        if (_waiter is { } waiter)
        {
            waiter.Budget.TryLeave(waiter);
            _level = waiter.State == WaiterState.Granted ? waiter.Budget.Next : waiter.Budget;
        }

        GiveBack();

        // Now nobody waits for this request: what follows is the application's.
        EndLimits();
        if (Place is not null)
        {
            requests.EndWait(this, outcome);
        }
    }

    // Whether a piece serves it, or did until it was taken.
    private bool HasPiece => _waiter is { State: WaiterState.Handed };

    // What is not used of what was granted; after a stall for whoever fits. Then it is to begin with the innermost budget.
    private void GiveBack(bool toTheLastByte = false)
    {
        MemoryBudget? reached = _level;
        (object Slab, nint Address)? unused = TakePiece();
        _level = _budget;
        _waiter = null;
        _budget.ReleaseUpTo(reached, _left, toTheLastByte);
        if (unused is { } piece)
        {
            Caller.Pieces!.TakeBack(piece.Slab, piece.Address);
        }
    }

    private void Join(MemoryBudget level)
    {
        if (level.IsReservation)
        {
            throw requests.Explain(level, Bytes);
        }

        if (Place is null)
        {
            _heldBytes = Caller.HeldBytes;
            BeginLimits();
            requests.BeginWait(this);
        }

        var waiter = new BudgetWaiter(level, Bytes, RankIn(level), _order, continuation, level.IsRoot ? Caller.Pieces : null);
        Volatile.Write(ref _waiter, waiter);
        level.Join(waiter);
        if (HasEnded)
        {
            // Just now, between two lines, or before the first one.
            Leave(waiter);
        }

        // What came back before others saw that somebody waits.
        waiter.Pieces?.ServeWaiting();
    }

    private WaitRank RankIn(MemoryBudget level) => Bytes > level.SmallBytes
        ? _heldBytes != 0 ? WaitRank.Holder : WaitRank.Other
        : _heldBytes > level.SmallBytes ? WaitRank.SmallOfHolder : WaitRank.Small;
}

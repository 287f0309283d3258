namespace PixelPool.Budgets;

/// <summary>The requests that wait for one budget, and which of them is next. Guarded by the lock of the budget.</summary>
/// <remarks>
/// <para>
/// Invariants. A higher rank comes first. Of those who hold memory whoever needs least comes first: behind one that does not fit, what fits would wait for memory that its own caller
/// holds. In the other ranks, and among equals, they are served in the order in which they began to wait: who steps back, so that others of its scope can go on, comes back to its place.
/// </para>
/// <para>
/// Nobody starves: as soon as as many bytes as the whole budget have passed the request that has waited longest, that one is next. Only small requests of those who hold much pass then,
/// as many bytes again, because it waits for what they hold; whoever holds nothing gets nothing to hold meanwhile. Those have an end, too: in a scope that many callers share every one of
/// them counts as who holds what all of them do. If nobody is let in for a while, perhaps because those who could return something hold memory
/// of which nobody knows that it is theirs, or keep it for good, the line stalls: then whoever fits passes for some time (<see cref="LookForStall"/>). The next time it takes twice as long, and lasts as long as that. From
/// 16 looks on that time grows with the square of it: a request that is never served costs all others less and less, and what is kept for long is waited for, too.
/// </para>
/// </remarks>
/// <param name="limitBytes">The limit of the budget.</param>
internal sealed class WaitLine(long limitBytes)
{
    // In the order in which they are served: those without a rank are at the end.
    private readonly LinkedList<BudgetWaiter> _waiters = new();

    // In the order in which they began to wait.
    private readonly LinkedList<BudgetWaiter> _arrivals = new();

    // Those that do not even get in line count, too: without the lock.
    private long _passedBytes;

    // Whether anybody was let in since the last look for a stall; the looks in a row that saw nobody, and how many make a stall. While the line is stalled: less than 0, the looks that are left of that.
    private bool _isMoving;
    private int _quietLooks;
    private int _patience = 1;

    /// <summary>How many there are.</summary>
    public int Count => _waiters.Count;

    /// <summary>Whether whoever fits passes (<see cref="FirstThatFits"/>), however many bytes.</summary>
    public bool IsStalled => _quietLooks < 0;

    /// <summary>The request that is to be served next; null when there is none.</summary>
    public BudgetWaiter? Next => _waiters.First?.Value is { } first && MayPass(first) ? first : Longest;

    private BudgetWaiter? Longest => _arrivals.First?.Value;

    /// <summary>Whether a small request that is not in line may pass those that are. A hint: others may be changing that. Without the lock.</summary>
    public bool LetsPass(long bytes) => _waiters.First?.Value is not { Rank: WaitRank.SmallOfHolder or WaitRank.Small } && MayPass(bytes, limitBytes);

    /// <summary>Such a request has passed. Without the lock.</summary>
    public void CountPassed(long bytes) => Interlocked.Add(ref _passedBytes, IsStalled ? 0 : bytes);

    /// <summary>To be called again and again, after equal times.</summary>
    /// <returns>True if nobody was let in for so long that the line stalls from now on.</returns>
    public bool LookForStall()
    {
        _quietLooks = !IsStalled && (_isMoving || Count == 0) ? 0 : _quietLooks + 1;
        _isMoving = false;
        if (_quietLooks < _patience)
        {
            return false;
        }

        _quietLooks = -Math.Max(_patience, _patience * _patience / 8);
        _patience *= 2;
        Interlocked.Exchange(ref _passedBytes, 0);
        return true;
    }

    /// <summary>The first request, in the order of the ranks, that fits; null when there is none.</summary>
    public BudgetWaiter? FirstThatFits(long freeBytes)
    {
        foreach (BudgetWaiter waiter in _waiters)
        {
            if (waiter.Bytes <= freeBytes)
            {
                return waiter;
            }
        }

        return null;
    }

    /// <summary>The first request, in the order of the ranks, that such a piece serves; null when there is none. It takes no room from anybody, so it may pass.</summary>
    public BudgetWaiter? FirstFor(IPieceSource pieces)
    {
        foreach (BudgetWaiter waiter in _waiters)
        {
            if (waiter.Pieces == pieces)
            {
                return waiter;
            }
        }

        return null;
    }

    public void Add(BudgetWaiter waiter)
    {
        if (Count == 0)
        {
            // What was before the first one is no stall.
            _isMoving = true;
            _patience = 1;
        }

        Insert(_waiters, waiter.Place, waiter, byRank: true);
        Insert(_arrivals, waiter.Arrival, waiter, byRank: false);
        waiter.Pieces?.CountWaiting(1);
    }

    /// <param name="waiter">The request.</param>
    /// <param name="isGranted">Whether it was granted, otherwise it gave up.</param>
    /// <param name="comesBack">Whether it gave up to come back to its place: what has passed it counts then, too.</param>
    public void Remove(BudgetWaiter waiter, bool isGranted, bool comesBack = false)
    {
        if (waiter == Longest && !comesBack)
        {
            Interlocked.Exchange(ref _passedBytes, 0);
            _patience = 1;
            _quietLooks = Math.Max(0, _quietLooks);
        }
        else if (isGranted)
        {
            CountPassed(waiter.Bytes);
        }

        _isMoving |= isGranted && waiter.Rank != WaitRank.SmallOfHolder;
        _waiters.Remove(waiter.Place);
        _arrivals.Remove(waiter.Arrival);
        waiter.Pieces?.CountWaiting(-1);
    }

    private static void Insert(LinkedList<BudgetWaiter> waiters, LinkedListNode<BudgetWaiter> place, BudgetWaiter waiter, bool byRank)
    {
        place.Value = waiter;
        LinkedListNode<BudgetWaiter>? before = waiters.Last;
        while (before is not null && Compare(before.Value, waiter, byRank) > 0)
        {
            before = before.Previous;
        }

        if (before is null)
        {
            waiters.AddFirst(place);
        }
        else
        {
            waiters.AddAfter(before, place);
        }
    }

    // By hand: what compares tuples is made when it is needed first, and what fails then for lack of memory has failed for good.
    private static int Compare(BudgetWaiter one, BudgetWaiter other, bool byRank)
    {
        int ranks = byRank ? (int)one.Rank - (int)other.Rank : 0;
        int bytes = byRank && one.Rank is WaitRank.SmallOfHolder or WaitRank.Holder ? one.Bytes.CompareTo(other.Bytes) : 0;
        return ranks != 0 ? ranks : bytes != 0 ? bytes : one.Order.CompareTo(other.Order);
    }

    private bool MayPass(BudgetWaiter waiter) => MayPass(waiter.Bytes, waiter.Rank == WaitRank.SmallOfHolder ? 2 * Math.Min(limitBytes, long.MaxValue / 2) : limitBytes);

    private bool MayPass(long bytes, long mostBytes) => IsStalled || Interlocked.Read(ref _passedBytes) <= mostBytes - bytes;
}

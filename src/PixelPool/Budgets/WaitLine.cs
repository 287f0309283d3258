namespace PixelPool.Budgets;

/// <summary>The requests that wait for one budget, and which of them is next. Guarded by the lock of the budget.</summary>
/// <remarks>
/// Invariants. Those of one rank are served in the order in which they came. A higher rank comes first, until as many bytes as the whole budget have passed the request that has waited
/// longest: then that one is next, whatever its rank is. So nobody starves. When nothing is returned any more, perhaps because those that could return something must not pass,
/// as many bytes may pass again (<see cref="Renew"/>).
/// </remarks>
/// <param name="limitBytes">The limit of the budget.</param>
internal sealed class WaitLine(long limitBytes)
{
    private readonly LinkedList<BudgetWaiter>[] _ranks = [new(), new(), new()];
    private long _lastNumber;

    // Those that do not even get in line count, too: without the lock.
    private long _passedBytes;
    private int _smallCount;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>The request that is to be served next; null when there is none.</summary>
    public BudgetWaiter? Next
    {
        get
        {
            foreach (LinkedList<BudgetWaiter> rank in _ranks)
            {
                if (rank.First?.Value is { } first)
                {
                    return first == Longest || MayPass(first.Bytes) ? first : Longest;
                }
            }

            return null;
        }
    }

    // That which has waited longest.
    private BudgetWaiter? Longest
    {
        get
        {
            BudgetWaiter? longest = null;
            foreach (LinkedList<BudgetWaiter> rank in _ranks)
            {
                if (rank.First?.Value is { } first && (longest is null || first.Number < longest.Number))
                {
                    longest = first;
                }
            }

            return longest;
        }
    }

    /// <summary>Whether a small request that is not in line may pass those that are. A hint: others may be changing that. Without the lock.</summary>
    public bool LetsPass(long bytes) => Volatile.Read(ref _smallCount) == 0 && MayPass(bytes);

    /// <summary>Such a request has passed. Without the lock.</summary>
    public void CountPassed(long bytes) => Interlocked.Add(ref _passedBytes, bytes);

    /// <summary>As many bytes may pass again.</summary>
    public void Renew() => Interlocked.Exchange(ref _passedBytes, 0);

    public void Add(BudgetWaiter waiter)
    {
        waiter.Number = ++_lastNumber;
        _ranks[(int)waiter.Rank].AddLast(waiter.Place);
        CountSmall(waiter, 1);
        Count++;
    }

    /// <param name="waiter">The request.</param>
    /// <param name="isGranted">Whether it was granted, otherwise it gave up.</param>
    public void Remove(BudgetWaiter waiter, bool isGranted)
    {
        if (waiter == Longest)
        {
            Renew();
        }
        else if (isGranted)
        {
            CountPassed(waiter.Bytes);
        }

        _ranks[(int)waiter.Rank].Remove(waiter.Place);
        CountSmall(waiter, -1);
        Count--;
    }

    private void CountSmall(BudgetWaiter waiter, int change) => Volatile.Write(ref _smallCount, _smallCount + (waiter.Rank == WaitRank.Small ? change : 0));

    private bool MayPass(long bytes) => Interlocked.Read(ref _passedBytes) <= limitBytes - bytes;
}

using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// A request in the line of one budget. How it ends is decided under the lock of the line, once: <see cref="State"/> says it. Then a thread that is blocked is
/// woken, or a task is completed on the thread pool: who returns memory runs nobody else's code.
/// </summary>
internal sealed class BudgetWaiter
{
    private readonly TaskCompletionSource<bool>? _turn;
    private int _state;

    /// <param name="budget">Whose line it stands in.</param>
    /// <param name="bytes">Bytes to be charged.</param>
    /// <param name="rank">Who comes first.</param>
    /// <param name="blocksThread">Whether a thread is blocked meanwhile; otherwise a task is awaited.</param>
    public BudgetWaiter(MemoryBudget budget, long bytes, WaitRank rank, bool blocksThread)
    {
        Budget = budget;
        Bytes = bytes;
        Rank = rank;
        Place = new LinkedListNode<BudgetWaiter>(this);
        _turn = blocksThread ? null : new TaskCompletionSource<bool>();
    }

    public MemoryBudget Budget { get; }

    public long Bytes { get; }

    public WaitRank Rank { get; }

    /// <summary>It grows from one request to the next one. Guarded by the lock of the line.</summary>
    public long Number { get; set; }

    /// <summary>The place in line, which its lock guards.</summary>
    public LinkedListNode<BudgetWaiter> Place { get; }

    /// <summary>Changed under the lock of the line only.</summary>
    public WaiterState State
    {
        get => (WaiterState)Volatile.Read(ref _state);
        set => Volatile.Write(ref _state, (int)value);
    }

    /// <summary>Ends when the request is granted or has given up.</summary>
    public Task Turn => _turn!.Task;

    /// <summary>Blocks the thread until the request is granted or has given up, or about as long as is said.</summary>
    /// <param name="atMost">By the system's clock; or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted. The request still stands where it stood.</exception>
    public void Block(TimeSpan atMost)
    {
        // Monitors count whole milliseconds.
        int milliseconds = atMost == Timeout.InfiniteTimeSpan ? Timeout.Infinite : (int)Math.Min(int.MaxValue, Math.Ceiling(atMost.TotalMilliseconds));
        lock (this)
        {
            if (State == WaiterState.InLine)
            {
                Monitor.Wait(this, milliseconds);
            }
        }
    }

    /// <summary>To be called once, without a lock, when the state was decided.</summary>
    public void Wake()
    {
        if (_turn is null)
        {
            Sleepers.WakeAll(this);
        }
        else
        {
            ThreadPoolQueue.Enqueue(static turn => ((TaskCompletionSource<bool>)turn!).TrySetResult(true), _turn);
        }
    }
}

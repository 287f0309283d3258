using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// A request in the line of one budget. How it ends is decided under the lock of the line, once: <see cref="State"/> says it. Then a thread that is blocked is
/// woken, or the request goes on on the thread pool: who returns memory runs nobody else's code. Nothing is allocated for that.
/// </summary>
/// <param name="budget">Whose line it stands in.</param>
/// <param name="bytes">Bytes to be charged.</param>
/// <param name="rank">Who comes first.</param>
/// <param name="order">Whoever has less began to wait before, in this line or in another one.</param>
/// <param name="continuation">Goes on with the request when it was handed over; null when a thread is blocked meanwhile.</param>
/// <param name="pieces">Those of which one serves the request as well; null: of none.</param>
internal sealed class BudgetWaiter(MemoryBudget budget, long bytes, WaitRank rank, long order, IThreadPoolWorkItem? continuation, IPieceSource? pieces = null) : IThreadPoolWorkItem
{
    // Two come here, in any order: who waits, and who ends the wait. The second one goes on with the request.
    private const int NobodyCame = 0;
    private const int OneCame = 1;
    private const int GoesOn = 2;

    private int _meeting;

    public MemoryBudget Budget => budget;

    public long Bytes => bytes;

    public WaitRank Rank => rank;

    public long Order => order;

    public IPieceSource? Pieces => pieces;

    /// <summary>The piece that it was granted by: nothing was charged then. Set under the lock of the line, before it is granted.</summary>
    public (object Slab, nint Address)? Piece { get; set; }

    /// <summary>The place in the order in which they are served, which the lock of the line guards. Made before: getting in line needs no memory. The line says whose it is.</summary>
    public LinkedListNode<BudgetWaiter> Place { get; } = new(null!);

    /// <summary>The same in the order in which all began to wait.</summary>
    public LinkedListNode<BudgetWaiter> Arrival { get; } = new(null!);

    /// <summary>Changed under the lock of the line only.</summary>
    public volatile WaiterState State;

    /// <summary>Takes the piece that it was given, once. By whoever goes on with the request.</summary>
    public (object Slab, nint Address)? TakePiece()
    {
        (object, nint)? piece = Piece;
        Piece = null;
        return piece;
    }

    /// <summary>Lets the thread pool go on with the request when it is granted or has given up.</summary>
    /// <returns>False when that is so already: the caller goes on.</returns>
    public bool TryHandOver() => Interlocked.Exchange(ref _meeting, OneCame) == NobodyCame;

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
        if (continuation is null)
        {
            Sleepers.WakeOne(this);
        }
        else if (Interlocked.CompareExchange(ref _meeting, OneCame, NobodyCame) == OneCame)
        {
            ThreadPoolQueue.Enqueue(this);
        }
    }

    /// <summary>Goes on with the request, once. For the thread pool, to which it is given when both came.</summary>
    public void Execute()
    {
        if (Interlocked.CompareExchange(ref _meeting, GoesOn, OneCame) == OneCame)
        {
            continuation!.Execute();
        }
    }
}

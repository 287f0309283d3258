namespace PixelPool.Budgets;

/// <summary>What ends a wait for budget before it is granted.</summary>
internal readonly struct WaitEnd
{
    /// <summary>The allocator is disposed.</summary>
    public CancellationToken AllocatorClosing { get; init; }

    /// <summary>The scope is disposed, if the request has one.</summary>
    public CancellationToken ScopeClosing { get; init; }

    /// <summary>Cancelled by the caller; of a synchronous request, its time is over.</summary>
    public CancellationToken Caller { get; init; }

    /// <summary>Whether <see cref="Caller"/> is a time limit.</summary>
    public bool IsSynchronous { get; init; }

    public CancellationTokenSource Link() => CancellationTokenSource.CreateLinkedTokenSource(AllocatorClosing, ScopeClosing, Caller);

    /// <summary>How the wait ended, and the exception for it; none for a time limit, which is a refusal.</summary>
    public (WaitOutcome Outcome, Exception? Exception) Explain()
    {
        if (AllocatorClosing.IsCancellationRequested)
        {
            return (WaitOutcome.Disposed, new ObjectDisposedException(nameof(PixelAllocator)));
        }

        if (ScopeClosing.IsCancellationRequested)
        {
            return (WaitOutcome.Disposed, new ObjectDisposedException(nameof(RentScope)));
        }

        return IsSynchronous ? (WaitOutcome.TimedOut, null) : (WaitOutcome.Cancelled, new OperationCanceledException(Caller));
    }
}

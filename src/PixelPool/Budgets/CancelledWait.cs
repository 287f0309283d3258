namespace PixelPool.Budgets;

/// <summary>Ends a wait when its caller's token is cancelled.</summary>
internal readonly struct CancelledWait : IDisposable
{
    private readonly CancellationTokenRegistration _registration;

    public CancelledWait(BudgetWait wait, CancellationToken cancellationToken) =>
#if NET
        _registration = cancellationToken.UnsafeRegister(static wait => ((BudgetWait)wait!).End(WaitOutcome.Cancelled), wait);
#else
        _registration = cancellationToken.Register(static wait => ((BudgetWait)wait!).End(WaitOutcome.Cancelled), wait);
#endif

    // It may have locks of its own, and it may be interrupted there: a registration that stays can do no harm, because a wait ends once.
    public void Dispose()
    {
        try
        {
#if NET
            _registration.Unregister();
#else
            _registration.Dispose();
#endif
        }
        catch (ThreadInterruptedException)
        {
            Thread.CurrentThread.Interrupt();
        }
    }
}

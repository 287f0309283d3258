namespace PixelPool.Budgets;

/// <summary>Ends a wait when its caller's token is cancelled.</summary>
/// <param name="wait">The wait.</param>
/// <param name="cancellationToken">The token.</param>
internal readonly struct CancelledWait(BudgetWait wait, CancellationToken cancellationToken) : IDisposable
{
    private readonly CancellationTokenRegistration _registration =
#if NET
        cancellationToken.UnsafeRegister(static ended => ((BudgetWait)ended!).End(WaitOutcome.Cancelled), wait);
#else
        cancellationToken.Register(static ended => ((BudgetWait)ended!).End(WaitOutcome.Cancelled), wait);
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

using PixelPool.Application;

namespace PixelPool.Budgets;

/// <summary>
/// What the timer of a <see cref="WaitWatch"/> holds. A running timer is held by the system: through this it keeps the allocator, and whoever waits in it, alive,
/// as long as somebody waits and no longer.
/// </summary>
/// <remarks>
/// Invariant: while a watch is <see cref="Keep">kept</see> the timer runs, unless it failed. Whoever keeps a watch looks afterwards whether the timer runs;
/// when it fires or is stopped it first counts as stopped, and then it is looked whether a watch is kept: so one of the two sees the other. It may run
/// though it counts as stopped: then it is only started again.
/// </remarks>
internal sealed class WaitTimer
{
    private WaitWatch? _kept;
    private int _running;

    /// <summary>From now on a timer that fires reaches the watch.</summary>
    public void Keep(WaitWatch watch) => Interlocked.Exchange(ref _kept, watch);

    /// <summary>From now on a timer that fires stops.</summary>
    public void LetGo() => Interlocked.Exchange(ref _kept, null);

    /// <returns>True for the one caller that has to start the timer.</returns>
    public bool TryBegin() => Interlocked.CompareExchange(ref _running, 1, 0) == 0;

    /// <summary>The timer fired, was stopped, or could not be started.</summary>
    public void End() => Interlocked.Exchange(ref _running, 0);

    public ApplicationTimer Create(TimeProvider time) => ApplicationTimer.Create(time, static timer => ((WaitTimer)timer).Fire(), this);

    private void Fire()
    {
        End();
        Volatile.Read(ref _kept)?.OnTimer();
    }
}

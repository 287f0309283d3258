using PixelPool.Accounts;
using PixelPool.Application;

namespace PixelPool.Budgets;

/// <summary>Looks after those who wait for budget, every second while somebody does: with a timer that runs only then.</summary>
/// <remarks>
/// <para>It is a help, not a promise: a clock or timer of the application that throws is told to the listener, and the next wait tries again.</para>
/// <para>
/// Invariant: while somebody waits the timer runs, unless it failed. Whoever begins to wait looks afterwards whether the timer runs; when it fires or is stopped it first counts as stopped,
/// and then it is looked whether somebody waits: so one of the two sees the other. It may run though it counts as stopped: then it is only started again. A running timer is held by the
/// system, and keeps the allocator, and whoever waits in it, alive.
/// </para>
/// </remarks>
/// <param name="listener">Told what the application's clock throws.</param>
/// <param name="time">The clock.</param>
/// <param name="look">Called every second while somebody waits. Throws nothing.</param>
internal sealed class WaitWatch(IMemoryListener listener, TimeProvider time, Action look) : IDisposable
{
    /// <summary>Somebody waits this long before the first look, and as long again before each further one.</summary>
    public static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private int _waiting;
    private int _running;
    private int _looking;
    private volatile bool _ended;
    private ApplicationTimer? _timer;

    /// <summary>How many requests wait now.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>A request begins to wait.</summary>
    public void BeginWait()
    {
        Interlocked.Increment(ref _waiting);
        Arm();
    }

    /// <summary>It waits no more.</summary>
    public void EndWait()
    {
        if (Interlocked.Decrement(ref _waiting) == 0)
        {
            // One that cannot be stopped fires once more, and finds nobody.
            Volatile.Read(ref _timer)?.Stop();
            Interlocked.Exchange(ref _running, 0);

            // Somebody may have begun in between.
            if (Volatile.Read(ref _waiting) != 0)
            {
                Arm();
            }
        }
    }

    /// <summary>Ends the timer.</summary>
    public void Dispose()
    {
        _ended = true;
        if (Volatile.Read(ref _timer)?.End() is { } failure)
        {
            listener.OnApplicationFailed("ITimer.Dispose", failure);
        }
    }

    private void OnTimer()
    {
        Interlocked.Exchange(ref _running, 0);
        if (!_ended && Volatile.Read(ref _waiting) != 0)
        {
            Arm();

            // It may take longer than until the next one, which would say the same again.
            if (Interlocked.Exchange(ref _looking, 1) == 0)
            {
                look();
                Volatile.Write(ref _looking, 0);
            }
        }
    }

    // The timer fires once, and is started again while somebody waits.
    private void Arm()
    {
        if (Interlocked.CompareExchange(ref _running, 1, 0) != 0)
        {
            return;
        }

        Exception? failure;
        try
        {
            failure = Timer().Start(Period);
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception thrown)
        {
            failure = thrown;
        }
#pragma warning restore CA1031

        if (failure is not null)
        {
            Interlocked.Exchange(ref _running, 0);
            if (!_ended)
            {
                listener.OnApplicationFailed("ITimer.Change", failure);
            }
        }
    }

    // Only called by the one who arms.
    private ApplicationTimer Timer()
    {
        if (_timer is null)
        {
            Volatile.Write(ref _timer, ApplicationTimer.Create(time, static watch => ((WaitWatch)watch).OnTimer(), this));
            if (_ended)
            {
                _timer!.End();
            }
        }

        return _timer!;
    }
}

using PixelPool.Accounts;
using PixelPool.Application;

namespace PixelPool.Budgets;

/// <summary>Looks after those who wait for budget, every second while somebody does: with a timer that runs only then.</summary>
/// <remarks>It is a help, not a promise: a clock or timer of the application that throws is told to the listener, and the next wait tries again.</remarks>
/// <param name="listener">Told what the application's clock throws.</param>
/// <param name="time">The clock.</param>
/// <param name="look">Called every second while somebody waits. Throws nothing.</param>
internal sealed class WaitWatch(IMemoryListener listener, TimeProvider time, Action look) : IDisposable
{
    /// <summary>Somebody waits this long before the first look, and as long again before each further one.</summary>
    public static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private readonly WaitTimer _alarm = new();
    private int _waiting;
    private int _looking;
    private volatile bool _ended;
    private ApplicationTimer? _timer;

    /// <summary>A request begins to wait.</summary>
    public void BeginWait()
    {
        Interlocked.Increment(ref _waiting);
        _alarm.Keep(this);
        Arm();
    }

    /// <summary>It waits no more.</summary>
    public void EndWait()
    {
        if (Interlocked.Decrement(ref _waiting) == 0)
        {
            // One that cannot be stopped fires once more, and finds nobody.
            _alarm.LetGo();
            Volatile.Read(ref _timer)?.Stop();
            _alarm.End();

            // Somebody may have begun in between.
            if (Volatile.Read(ref _waiting) != 0)
            {
                _alarm.Keep(this);
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

    /// <summary>Somebody has waited for a while.</summary>
    public void OnTimer()
    {
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
        if (!_alarm.TryBegin())
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
            _alarm.End();
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
            Volatile.Write(ref _timer, _alarm.Create(time));
            if (_ended)
            {
                _timer!.End();
            }
        }

        return _timer!;
    }
}

using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// Starts a collection when a budget has no room: forgotten buffers may hold it, and nothing else might start one, because a process that only waits
/// allocates nothing. Rarely, in the background, and more rarely the longer it finds nothing.
/// </summary>
/// <remarks>It is a help, not a promise: a clock or timer of the application that throws is told to the listener, and the next wait tries again.</remarks>
internal sealed class LeakSearch : IDisposable
{
    /// <summary>Somebody waits this long before a collection is started for them, and as long again before that is looked at once more.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    /// <summary>The least time between two collections; twice as long after each that found no leak, up to <see cref="LongestPause"/>.</summary>
    public static readonly TimeSpan ShortestPause = TimeSpan.FromSeconds(10);

    public static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(5);

    private readonly UninterruptibleLock _gate = new();
    private readonly IMemoryListener _listener;
    private readonly TimeProvider _time;
    private readonly ApplicationClock _clock;
    private readonly Func<long> _leaks;
    private readonly Action _collect;
    private readonly LeakSearchTimer _alarm = new();
    private TimeSpan _pause;
    private TimeSpan _lastSearch;
    private long _leaksThen;
    private int _waiting;
    private volatile bool _ended;
    private ApplicationTimer? _timer;

    /// <param name="listener">Told what the application's clock throws.</param>
    /// <param name="time">The clock.</param>
    /// <param name="leaks">How many leaks were found so far.</param>
    /// <param name="collect">Starts a collection of generation 2 and does not wait for it.</param>
    public LeakSearch(IMemoryListener listener, TimeProvider time, Func<long> leaks, Action? collect = null)
    {
        _listener = listener;
        _time = time;
        _clock = new ApplicationClock(listener, time);
        _leaks = leaks;
        _collect = collect ?? CollectInBackground;
    }

    /// <summary>A request was refused.</summary>
    public void OnRefusal() => TrySearch();

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
        Volatile.Read(ref _timer)?.End();
    }

    /// <summary>Somebody has waited for a while.</summary>
    public void OnTimer()
    {
        if (!_ended && Volatile.Read(ref _waiting) != 0)
        {
            Arm();
            TrySearch();
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
            failure = Timer().Start(Patience);
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
                _listener.OnApplicationFailed("ITimer.Change", failure);
            }
        }
    }

    // Only called by the one who arms.
    private ApplicationTimer Timer()
    {
        if (_timer is null)
        {
            Volatile.Write(ref _timer, _alarm.Create(_time));
            if (_ended)
            {
                _timer!.End();
            }
        }

        return _timer!;
    }

    private void TrySearch()
    {
        if (_clock.TryRead() is { } now && IsTime(now, _leaks()))
        {
            _collect();
        }
    }

    private bool IsTime(TimeSpan now, long leaks)
    {
        using (_gate.Hold())
        {
            bool first = _pause == TimeSpan.Zero;
            if (!first && now - _lastSearch < _pause)
            {
                return false;
            }

            bool found = leaks != _leaksThen;
            _pause = first || found ? ShortestPause : TimeSpan.FromTicks(Math.Min(_pause.Ticks * 2, LongestPause.Ticks));
            _lastSearch = now;
            _leaksThen = leaks;
            return true;
        }
    }

    // Not on the thread that was refused: where collections are not concurrent, this one stops the world.
    private static void CollectInBackground() => ThreadPoolQueue.Enqueue(
        static _ => GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: false), state: null);
}

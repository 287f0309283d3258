namespace PixelPool.Budgets;

/// <summary>
/// Starts a collection when a budget has no room: forgotten buffers may hold it, and nothing else might start one, because a process that only waits
/// allocates nothing. Rarely, in the background, and more rarely the longer it finds nothing.
/// </summary>
internal sealed class LeakSearch : IDisposable
{
    /// <summary>Somebody waits this long before a collection is started for them, and as long again before that is looked at once more.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    /// <summary>The least time between two collections; twice as long after each that found no leak, up to <see cref="LongestPause"/>.</summary>
    public static readonly TimeSpan ShortestPause = TimeSpan.FromSeconds(10);

    public static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(5);

    private readonly object _gate = new();
    private readonly TimeProvider _time;
    private readonly Func<long> _leaks;
    private readonly Action _collect;
    private TimeSpan _pause;
    private long _lastSearch;
    private long _leaksThen;
    private int _waiting;
    private ITimer? _timer;

    /// <param name="time">The clock.</param>
    /// <param name="leaks">How many leaks were found so far.</param>
    /// <param name="collect">Starts a collection of generation 2 and does not wait for it.</param>
    public LeakSearch(TimeProvider time, Func<long> leaks, Action? collect = null)
    {
        _time = time;
        _leaks = leaks;
        _collect = collect ?? CollectInBackground;
    }

    /// <summary>A request was refused.</summary>
    public void OnRefusal() => TrySearch();

    /// <summary>A request begins to wait.</summary>
    public void BeginWait()
    {
        lock (_gate)
        {
            _timer ??= DetachedTimer.Create(_time, static search => ((LeakSearch)search!).OnTimer(), this);
            if (_waiting++ == 0)
            {
                _timer.Change(Patience, Patience);
            }
        }
    }

    public void EndWait()
    {
        lock (_gate)
        {
            if (--_waiting == 0)
            {
                _timer!.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _timer?.Dispose();
        }
    }

    private void OnTimer()
    {
        if (Volatile.Read(ref _waiting) != 0)
        {
            TrySearch();
        }
    }

    private void TrySearch()
    {
        lock (_gate)
        {
            bool first = _pause == TimeSpan.Zero;
            if (!first && _time.GetElapsedTime(_lastSearch) < _pause)
            {
                return;
            }

            long leaks = _leaks();
            bool found = leaks != _leaksThen;
            _pause = first || found ? ShortestPause : TimeSpan.FromTicks(Math.Min(_pause.Ticks * 2, LongestPause.Ticks));
            _lastSearch = _time.GetTimestamp();
            _leaksThen = leaks;
        }

        _collect();
    }

    // Not on the thread that was refused: where collections are not concurrent, this one stops the world.
    private static void CollectInBackground() => ThreadPool.UnsafeQueueUserWorkItem(
        static _ => GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: false), state: null);
}

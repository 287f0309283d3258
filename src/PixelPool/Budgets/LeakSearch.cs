using PixelPool.Accounts;
using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// Starts a collection when a budget has no room: forgotten buffers may hold it, and nothing else might start one, because a process that only waits
/// allocates nothing. Rarely, in the background, and more rarely the longer it finds nothing.
/// </summary>
/// <param name="accounts">They say how many leaks were found so far.</param>
internal sealed class LeakSearch(MemoryAccounts accounts) : IThreadPoolWorkItem
{
    /// <summary>The least time between two collections; twice as long after each that found no leak, up to <see cref="LongestPause"/>.</summary>
    public static readonly TimeSpan ShortestPause = TimeSpan.FromSeconds(10);
    public static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(5);

    private readonly UninterruptibleLock _gate = new();
    private TimeSpan _pause;
    private TimeSpan _lastSearch;
    private long _leaksThen;

    /// <summary>Collects garbage.</summary>
    public void Execute() => GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: false);

    /// <summary>A request was refused, or has waited for a while: searches, unless that was done not long ago.</summary>
    /// <param name="now">By the application's clock; null when that fails: then nothing is done.</param>
    public void Search(TimeSpan? now)
    {
        if (now is { } moment && TryBegin(moment))
        {
            // Not on the thread that was refused: where collections are not concurrent, this one stops the world. Where there is no memory for that, the collector has just looked.
            ThreadPoolQueue.TryEnqueue(this);
        }
    }

    /// <summary>Whether it is time for a collection: then the next one has to wait again.</summary>
    public bool TryBegin(TimeSpan now)
    {
        long found = accounts.LeakedCount;
        using (_gate.Hold())
        {
            if (now >= _lastSearch && now - _lastSearch < _pause)
            {
                return false;
            }

            _pause = _pause == TimeSpan.Zero || found != _leaksThen ? ShortestPause : TimeSpan.FromTicks(Math.Min(_pause.Ticks * 2, LongestPause.Ticks));
            _lastSearch = now;
            _leaksThen = found;
            return true;
        }
    }
}

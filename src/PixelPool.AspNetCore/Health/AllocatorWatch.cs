using Microsoft.Extensions.Diagnostics.HealthChecks;
using PixelPool.Diagnostics;
using PixelPool.Diagnostics.Text;

namespace PixelPool.AspNetCore.Health;

/// <summary>Remembers of one allocator what its statistics do not tell: when leaks were found, and which waits are a deadlock. Checks are made one at a time.</summary>
internal sealed class AllocatorWatch : IDisposable
{
    /// <summary>The clock of the allocator may be another one.</summary>
    private static readonly TimeSpan s_tolerance = TimeSpan.FromSeconds(1);

    private readonly object _lock = new();
    private readonly PixelAllocator _allocator;
    private readonly PixelPoolHealthCheckOptions _options;
    private readonly TimeProvider _time;
    private readonly long _start;
    private int _deadlocked;
    private TimeSpan _lastJoined;
    private TimeSpan? _leakFound;
    private long _leaks;

    public AllocatorWatch(PixelAllocator allocator, PixelPoolHealthCheckOptions options, TimeProvider time)
    {
        _allocator = allocator;
        _options = options;
        _time = time;
        _start = time.GetTimestamp();
        _allocator.LongWait += OnLongWait;
    }

    private TimeSpan Now => _time.GetElapsedTime(_start);

    public IEnumerable<HealthFinding> Check(PixelPoolStatistics statistics)
    {
        TimeSpan now = Now;
        if (CheckWaits(statistics) is { } wait)
        {
            yield return wait;
        }

        if (statistics.LeakedCount > _leaks)
        {
            _leaks = statistics.LeakedCount;
            _leakFound = now;
        }

        if (_leakFound is { } found && IsWithin(now - found, _options.LeakWindow))
        {
            yield return new HealthFinding(
                HealthStatus.Degraded, $"{_allocator.Name}: {Plural.Of(statistics.LeakedCount, "leak")} so far, the last one found {HumanTime.Format(now - found)} ago.");
        }
    }

    public void Dispose() => _allocator.LongWait -= OnLongWait;

    private HealthFinding? CheckWaits(in PixelPoolStatistics statistics)
    {
        if (statistics.WaitingRents == 0)
        {
            return null;
        }

        string waits = $"{_allocator.Name}: {Plural.Of(statistics.WaitingRents, "request")} waiting for budget, for up to {HumanTime.Format(statistics.LongestWait)}";
        return IsDeadlock() ? new HealthFinding(HealthStatus.Unhealthy, $"{waits}, in a deadlock: those who hold the budget wait themselves.")
            : Exceeds(statistics.LongestWait, _options.UnhealthyWait) ? new HealthFinding(HealthStatus.Unhealthy, $"{waits}.")
            : Exceeds(statistics.LongestWait, _options.DegradedWait) ? new HealthFinding(HealthStatus.Degraded, $"{waits}.")
            : null;
    }

    // One that waited then and waits no more may return what it holds: if that is not enough, the next long wait is reported. Who came later tells nothing.
    private bool IsDeadlock()
    {
        lock (_lock)
        {
            TimeSpan now = Now;
            if (_deadlocked > 0 && _allocator.GetWaitingRents().Count(wait => now - wait.Waited <= _lastJoined + s_tolerance) < _deadlocked)
            {
                _deadlocked = 0;
            }

            return _deadlocked > 0;
        }
    }

    private static bool Exceeds(TimeSpan wait, TimeSpan limit) => limit != Timeout.InfiniteTimeSpan && wait > limit;

    private static bool IsWithin(TimeSpan passed, TimeSpan window) => window == Timeout.InfiniteTimeSpan || passed < window;

    // On a thread of the reports.
    private void OnLongWait(object? sender, LongWaitEventArgs report)
    {
        if (report is { IsDeadlock: true, Waiting: [.., var newest] })
        {
            lock (_lock)
            {
                // Others may have joined one that is known: they may leave again, and it goes on.
                if (!IsDeadlock())
                {
                    _deadlocked = report.Waiting.Count;
                    _lastJoined = Now - newest.Waited;
                }
            }
        }
    }
}

using System.Diagnostics.Tracing;
using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Lifetime;
using PixelPool.Threading;
using Keywords = PixelPool.Diagnostics.PixelPoolEventSource.Keywords;

namespace PixelPool.Diagnostics;

/// <summary>
/// Hears of the rents of a pool, and tells whoever listens: of those that are sampled when they begin, and of what is done wrong with any. A rent that is not sampled pays one comparison in its stripe; one
/// that is costs a clock, an event or a stack.
/// </summary>
internal sealed class RentTracking : RentRecorder, IRentListener
{
    // Of more rents nobody is told who holds most: that would take longer than what was refused.
    private const int MostDescribed = 4096;

    private readonly AllocatorReports? _reports;

    /// <param name="name">What reports and events call the allocator, or the pool.</param>
    /// <param name="options">Those of the allocator.</param>
    /// <param name="reports">Those of an allocator, which has handlers. Null for a pool.</param>
    public RentTracking(string name, PixelAllocatorOptions options, AllocatorReports? reports = null)
        : base(name, options.LeakTracking)
    {
        Clock = new ApplicationClock(this, options.TimeProvider);
        _reports = reports;
        Guards = new GuardRegistry(new MemoryAccounts(this), this, options.ClearOnReturn);

        PixelPoolEventSource.Make();
    }

    /// <summary>All guards of the allocator or pool, and its accounts: what is listened to.</summary>
    public readonly GuardRegistry Guards;

    /// <summary>Told of each wait for budget that ended, and how. Throws nothing. Set once.</summary>
    public Action<TimeSpan, string>? WaitEnded;

    /// <summary>Guards <see cref="RentRecorder.Trackers"/>, and what those have found.</summary>
    public readonly UninterruptibleLock Gate = new();

    /// <inheritdoc/>
    protected override ApplicationClock Clock { get; }

    /// <inheritdoc/>
    public bool OnRented(long bytes, string? source, string? tag)
    {
        if (source is null || !PixelPoolEventSource.IsListeningTo(Keywords.Rents, EventLevel.Verbose))
        {
            return false;
        }

        PixelPoolEventSource.Log?.Rented(Name, bytes, source, tag ?? string.Empty);
        return true;
    }

    /// <inheritdoc/>
    public void OnReturned(long bytes, string? tag) => PixelPoolEventSource.Log?.Returned(Name, bytes, tag ?? string.Empty);

    /// <summary>A finalizer returned the memory of a rent. Called on the finalizer thread: it throws nothing.</summary>
    public void OnLeaked(in RentFacts leaked)
    {
        TimeSpan? now = Clock.TryRead();
        if (leaked.Trace is null && now is { } found && OnUnrecordedLeak(found))
        {
            Guards.Accounts.SampleNextRents();
        }

        try
        {
            var rent = new RentRecord(in leaked, now);
            using (Gate.Hold())
            {
                foreach (LeakTracker tracker in Trackers)
                {
                    tracker.OnLeaked(leaked.Trace, rent);
                }
            }

            _reports?.TellLeaked(rent);
        }
#pragma warning disable CA1031 // No memory: the leak is counted, and must not end the process.
        catch (Exception)
        {
        }
#pragma warning restore CA1031
    }

    /// <inheritdoc/>
    public void OnWaited(long bytes, TimeSpan waited, string outcome)
    {
        PixelPoolEventSource.Log?.Waited(Name, bytes, waited.TotalMilliseconds, outcome);
        try
        {
            WaitEnded?.Invoke(waited, outcome);
        }
#pragma warning disable CA1031 // No memory, or the application's code that listens to measurements.
        catch (Exception failure)
        {
            OnApplicationFailed("Histogram.Record", failure);
        }
#pragma warning restore CA1031
    }

    /// <inheritdoc/>
    public void OnLongWaits(List<WaitFacts> waits, Func<WaitFacts[]> waiting, bool isDeadlock) => _reports?.TellLongWaits(waits, waiting, () => ListOutstanding(), isDeadlock);

    /// <inheritdoc/>
    public string DescribeHolders(object budget)
    {
        try
        {
            return Guards.Count > MostDescribed ? string.Empty : ListOutstanding(budget: budget).DescribeHolders(most: 1);
        }
#pragma warning disable CA1031 // Whoever is refused hears that, and nothing else: no want of memory, nor whatever the runtime throws where symbols are looked up.
        catch (Exception e)
        {
            // An interrupt there is kept.
            Uninterrupted.Keep(e);
            return string.Empty;
        }
#pragma warning restore CA1031
    }

    /// <summary>Something was returned a second time. Tells whoever listens where that was. Never throws: it is called by <c>Dispose</c>, and by native code.</summary>
    public void OnSecondReturn()
    {
        bool isHeard = PixelPoolEventSource.IsListeningTo(Keywords.Misuse);
        if (Trackers.Count == 0 && !isHeard)
        {
            return;
        }

        try
        {
            // For an event alone the sampler bounds the time that is spent on places, as for rents.
            var stack = (RentStack?)TryTrace(isRare: false)?.Stack;
            using (Gate.Hold())
            {
                foreach (LeakTracker tracker in Trackers)
                {
                    tracker.OnSecondReturn(stack);
                }
            }

            if (isHeard)
            {
                PixelPoolEventSource.Log?.ReturnedTwice(Name, stack?.Place ?? string.Empty, ApplicationFailure.Shorten(stack?.Text));
            }
        }
#pragma warning disable CA1031 // It is counted. Whatever the runtime throws where symbols are looked up, for want of memory or of what reads them, is not to leave a Dispose.
        catch (Exception e)
        {
            // An interrupt there is kept.
            Uninterrupted.Keep(e);
        }
#pragma warning restore CA1031
    }

    /// <summary>What is rented now: those whose age is known first, the oldest of them first, then the largest.</summary>
    /// <param name="epoch">Leaves out what was rented before the tracker with this epoch; 0 for everything.</param>
    /// <param name="budget">Leaves out what does not count against this budget; null for everything.</param>
    public RentRecord[] ListOutstanding(int epoch = 0, object? budget = null)
    {
        var rents = new List<RentRecord>(4);
        List<LifetimeGuard> guards = Guards.Reachable();

        // One moment for all of them: ages that were read one after the other would not be in the order of the rents.
        TimeSpan? now = Clock.TryRead();
        foreach (LifetimeGuard guard in guards)
        {
            if (guard.TryReadRent(out RentFacts rent) && (budget is null || guard.CountsAgainst(budget)) && (rent.Trace?.Epoch ?? 0) >= epoch)
            {
                rents.Add(new RentRecord(in rent, now));
            }
        }

        return [.. rents.OrderByDescending(static rent => rent.Age).ThenByDescending(static rent => rent.Bytes)];
    }

    /// <summary>From now on every rent is recorded, until <see cref="End"/>.</summary>
    public void Begin(LeakTracker tracker)
    {
        using (Gate.Hold())
        {
            tracker.Epoch = ++Epoch;
            Trackers.Add(tracker);
        }

        Guards.Accounts.SampleNextRents();
    }

    /// <summary>Calling it again does nothing. Needs no memory.</summary>
    public void End(LeakTracker tracker)
    {
        using (Gate.Hold())
        {
            Trackers.Remove(tracker);
        }
    }
}

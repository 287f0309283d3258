using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Lifetime;
using PixelPool.Threading;

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
    private readonly UninterruptibleLock _gate = new();

    // Null where one has ended: to end one needs no memory.
    private LeakTracker?[] _trackers = [];

    /// <param name="name">What reports and events call the allocator, or the pool.</param>
    /// <param name="options">Those of the allocator.</param>
    /// <param name="reports">Those of an allocator, which has handlers. Null for a pool.</param>
    public RentTracking(string name, PixelAllocatorOptions options, AllocatorReports? reports = null)
        : base(name, options.LeakTracking)
    {
        Clock = new ApplicationClock(this, options.TimeProvider);
        _reports = reports;
        Guards = new GuardRegistry(new MemoryAccounts(this), this, options.ClearOnReturn);

        // It is asked under the locks of stripes, and its constructor takes them: it is made before there are any.
        _ = PixelPoolEventSource.Log;
    }

    /// <summary>All guards of the allocator or pool, and its accounts: what is listened to.</summary>
    public GuardRegistry Guards { get; }

    /// <summary>Told of each wait for budget that ended, and how. Throws nothing. Set once.</summary>
    public Action<TimeSpan, string>? WaitEnded { get; set; }

    /// <summary>What is counted.</summary>
    public MemoryAccounts Accounts => Guards.Accounts;

    /// <inheritdoc/>
    protected override ApplicationClock Clock { get; }

    /// <inheritdoc/>
    public bool OnRented(long bytes, string? source, string? tag)
    {
        if (source is null || !PixelPoolEventSource.IsListeningToRents)
        {
            return false;
        }

        PixelPoolEventSource.Log.Rented(Name, bytes, source, tag ?? string.Empty);
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
            Accounts.SampleNextRents();
        }

        try
        {
            RentRecord rent = Describe(in leaked, now);
            foreach (LeakTracker? tracker in Volatile.Read(ref _trackers))
            {
                tracker?.OnLeaked(leaked.Trace, rent);
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
    public void OnLongWait(in WaitFacts wait, Func<List<WaitFacts>> waiting, bool isDeadlock) =>
        _reports?.TellLongWait(in wait, waiting, () => ListOutstanding(), isDeadlock);

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
        LeakTracker?[] trackers = Volatile.Read(ref _trackers);
        bool isHeard = PixelPoolEventSource.IsListeningToMisuse;
        if (trackers.Length == 0 && !isHeard)
        {
            return;
        }

        try
        {
            // For an event alone the sampler bounds the time that is spent on places, as for rents.
            var stack = (RentStack?)TryTrace(isRare: false)?.Stack;
            foreach (LeakTracker? tracker in trackers)
            {
                tracker?.OnSecondReturn(stack);
            }

            if (isHeard)
            {
                PixelPoolEventSource.Log.ReturnedTwice(Name, stack?.Place ?? string.Empty, ApplicationFailure.Shorten(stack?.Text));
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
        var rents = new List<RentRecord>();
        List<LifetimeGuard> guards = Guards.Reachable();

        // One moment for all of them: ages that were read one after the other would not be in the order of the rents.
        TimeSpan? now = Clock.TryRead();
        foreach (LifetimeGuard guard in guards)
        {
            if (guard.TryReadRent(out RentFacts rent) && (budget is null || guard.CountsAgainst(budget)) && (rent.Trace?.Epoch ?? 0) >= epoch)
            {
                rents.Add(Describe(in rent, now));
            }
        }

        return [.. rents.OrderByDescending(static rent => rent.Age).ThenByDescending(static rent => rent.Bytes)];
    }

    /// <summary>From now on every rent is recorded, until <see cref="End"/>.</summary>
    public void Begin(LeakTracker tracker)
    {
        using (_gate.Hold())
        {
            LeakTracker?[] trackers = [.. _trackers.Where(static other => other is not null), tracker];
            tracker.Epoch = ++Epoch;
            Askers++;
            Volatile.Write(ref _trackers, trackers);
        }

        Accounts.SampleNextRents();
    }

    public void End(LeakTracker tracker)
    {
        using (_gate.Hold())
        {
            Volatile.Write(ref _trackers[Array.IndexOf(_trackers, tracker)], null);
            Askers--;
        }
    }

    // A rent that began after that moment has no age yet.
    private static RentRecord Describe(in RentFacts rent, TimeSpan? now) =>
        new(in rent, now - rent.Trace?.Time is { } age ? TimeSpan.FromTicks(Math.Max(0, age.Ticks)) : null);
}

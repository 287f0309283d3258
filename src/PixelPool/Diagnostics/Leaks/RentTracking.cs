using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Lifetime;
using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>
/// Which rents of a pool are looked at when they begin, and what is remembered of them. A rent that is not looked at pays one comparison in its stripe; one
/// that is costs a clock, an event or a stack.
/// </summary>
internal sealed class RentTracking : MemoryEvents, IRentListener
{
    private readonly LeakTracking _mode;
    private readonly TimeProvider _time;
    private readonly ApplicationClock _clock;
    private readonly LeakReporter? _reporter;
    private readonly CaptureSampler _sampler;
    private readonly RentStackTable _stacks = new();
    private readonly UninterruptibleLock _gate = new();
    private LeakTracker[] _trackers = [];
    private int _epoch;

    /// <param name="name">What reports and events call the allocator, or the pool.</param>
    /// <param name="options">Those of the allocator.</param>
    /// <param name="sender">The allocator, as handlers of leaks are told; null for a pool that is used alone.</param>
    /// <param name="handlers">The handlers of leaks that the allocator has now.</param>
    public RentTracking(string name, PixelAllocatorOptions options, object? sender = null, Func<EventHandler<LeakedEventArgs>?>? handlers = null)
        : base(name)
    {
        _mode = options.LeakTracking;
        _time = options.TimeProvider;
        _clock = new ApplicationClock(this, _time);
        _reporter = sender is not null && handlers is not null ? new LeakReporter(name, sender, handlers) : null;
        _sampler = new CaptureSampler(_time);
        Guards = new GuardRegistry(new MemoryAccounts(this), this, options.ClearOnReturn);

        // It is asked under the locks of stripes, and its constructor takes them: it is made before there are any.
        _ = PixelPoolEventSource.Log;
    }

    /// <summary>All guards of the allocator or pool, and its accounts: what is listened to.</summary>
    public GuardRegistry Guards { get; }

    /// <summary>What is counted.</summary>
    public MemoryAccounts Accounts => Guards.Accounts;

    /// <inheritdoc/>
    public override int LookInterval => RecordsAll || PixelPoolEventSource.Log.IsListeningToRents ? 1 : _mode == LeakTracking.Off ? int.MaxValue : _sampler.Interval;

    private bool RecordsAll => _mode == LeakTracking.Full || Volatile.Read(ref _trackers).Length != 0;

    /// <inheritdoc/>
    public void OnRented(LifetimeGuard guard)
    {
        bool announced = PixelPoolEventSource.Log.IsListeningToRents && guard.Source is not null;
        if (announced)
        {
            PixelPoolEventSource.Log.Rented(Name, guard.HeldBytes, guard.Source!, guard.Tag ?? string.Empty);
        }

        guard.EndLook(announced);
        if (TryRecord() is { } trace)
        {
            guard.Trace(trace);
        }
    }

    /// <summary>Looks at the stack of a request that has to wait, if it is its turn to be recorded.</summary>
    /// <returns>To be called with the rent: it is remembered with the stack that it was asked for on.</returns>
    public Action<LifetimeGuard> RememberCaller()
    {
        RentStack? origin = TryRecord()?.Stack;
        return guard =>
        {
            if (origin is not null || guard.IsTraced)
            {
                guard.Trace(new RecordedTrace(origin, _clock.Read(), Volatile.Read(ref _epoch)));
            }
        };
    }

    /// <inheritdoc/>
    public void OnReturned(long bytes, string? tag) => PixelPoolEventSource.Log.Returned(Name, bytes, tag ?? string.Empty);

    /// <summary>The place where a view or a pin is made of a rent that is recorded, if it is its turn. Never throws: the view is more important.</summary>
    public RentTrace? OnHeld()
    {
        try
        {
            return TryRecord();
        }
#pragma warning disable CA1031 // No memory, or an application's clock that fails.
        catch (Exception failure)
        {
            OnApplicationFailed("TimeProvider.GetTimestamp", failure);
            return null;
        }
#pragma warning restore CA1031
    }

    /// <summary>Something was returned a second time. Tells whoever listens where that was. Never throws: it is called by <c>Dispose</c>, and by native code.</summary>
    public void OnSecondReturn()
    {
        LeakTracker[] trackers = Volatile.Read(ref _trackers);
        bool isHeard = PixelPoolEventSource.Log.IsListeningToMisuse;
        if (trackers.Length == 0 && !isHeard)
        {
            return;
        }

        try
        {
            // For an event alone the sampler bounds the time that is spent on places, as for rents.
            RentStack? stack = (OnHeld() as RecordedTrace)?.Stack;
            foreach (LeakTracker tracker in trackers)
            {
                tracker.OnSecondReturn(stack);
            }

            if (isHeard)
            {
                TellSecondReturn(stack?.Place, stack?.Text);
            }
        }
        catch (OutOfMemoryException)
        {
            // It is counted.
        }
    }

    /// <summary>A finalizer returned the memory of a rent. Called on the finalizer thread: it throws nothing.</summary>
    public void OnLeaked(in RentFacts leaked)
    {
        LeakTracker[] trackers = Volatile.Read(ref _trackers);
        LeakReporter? reporter = _reporter is { IsHeard: true } listened ? listened : null;
        if (trackers.Length == 0 && reporter is null)
        {
            return;
        }

        try
        {
            RentRecord rent = Describe(in leaked, _clock.TryRead());
            foreach (LeakTracker tracker in trackers)
            {
                tracker.OnLeaked(leaked.Trace, rent);
            }

            reporter?.Report(rent);
        }
#pragma warning disable CA1031 // No memory: the leak is counted, and must not end the process.
        catch (Exception)
        {
        }
#pragma warning restore CA1031
    }

    /// <summary>What is rented now: those whose age is known first, the oldest of them first, then the largest.</summary>
    /// <param name="epoch">Leaves out what was rented before the tracker with this epoch; 0 for everything.</param>
    public IReadOnlyList<RentRecord> ListOutstanding(int epoch = 0)
    {
        var rents = new List<RentRecord>();
        List<LifetimeGuard> guards = Guards.Reachable();

        // One moment for all of them: ages that were read one after the other would not be in the order of the rents.
        TimeSpan? now = _clock.TryRead();
        foreach (LifetimeGuard guard in guards)
        {
            if (guard.TryReadRent(out RentFacts rent) && ((rent.Trace as RecordedTrace)?.Epoch ?? 0) >= epoch)
            {
                rents.Add(Describe(in rent, now));
            }
        }

        rents.Sort(static (a, b) => a.Age is null || b.Age is null
            ? a.Age is null && b.Age is null ? b.Bytes.CompareTo(a.Bytes) : a.Age is null ? 1 : -1
            : b.Age.Value.CompareTo(a.Age.Value));
        return rents;
    }

    /// <summary>From now on every rent is recorded, until <see cref="End"/>.</summary>
    public void Begin(LeakTracker tracker)
    {
        using (_gate.Hold())
        {
            tracker.Epoch = ++_epoch;
            Volatile.Write(ref _trackers, [.. _trackers, tracker]);
        }

        Accounts.LookAtNextRents();
    }

    public void End(LeakTracker tracker)
    {
        using (_gate.Hold())
        {
            Volatile.Write(ref _trackers, Array.FindAll(_trackers, other => other != tracker));
        }
    }

    private RecordedTrace? TryRecord()
    {
        bool all = RecordsAll;
        if (!all && _mode == LeakTracking.Off)
        {
            return null;
        }

        if (all)
        {
            TimeSpan time = _clock.Read();
            return new RecordedTrace(TryCapture(), time, Volatile.Read(ref _epoch));
        }

        long began = _time.GetTimestamp();
        if (!_sampler.TryBegin(began))
        {
            return null;
        }

        try
        {
            return new RecordedTrace(TryCapture(), _clock.ToTime(began), Volatile.Read(ref _epoch));
        }
        finally
        {
            _sampler.End(began);
        }
    }

    private RentStack? TryCapture()
    {
        try
        {
            return _stacks.Capture();
        }
#pragma warning disable CA1031 // A rent does not fail for a report: no memory, or code that the runtime cannot describe.
        catch (Exception)
        {
            return null;
        }
#pragma warning restore CA1031
    }

    // A rent that began after that moment has no age yet.
    private static RentRecord Describe(in RentFacts rent, TimeSpan? now) =>
        new(
            in rent,
            rent.Trace is RecordedTrace trace && now is { } moment ? moment > trace.Time ? moment - trace.Time : TimeSpan.Zero : null);
}

using PixelPool.Application;
using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>Records when and where rents begin: all of them, none, or as many as cost little. One that is not recorded pays one comparison in its stripe.</summary>
/// <param name="mode">Which ones, while nobody asks for all.</param>
/// <param name="time">The application's clock, which says when a sample is due.</param>
/// <param name="clock">The same clock, which says when rents began.</param>
internal sealed class RentRecorder(LeakTracking mode, TimeProvider time, ApplicationClock clock)
{
    // What leaks now leaks again: the next one is to have a name, and ends it.
    private static readonly TimeSpan s_allAfterLeak = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_betweenBegins = TimeSpan.FromMinutes(10);

    private readonly CaptureSampler _rents = new(time);
    private readonly CaptureSampler _waits = new(time);
    private readonly RentStackTable _stacks = new();
    private readonly UninterruptibleLock _gate = new();
    private int _askers;
    private int _epoch;
    private bool _isAfterLeak;
    private TimeSpan? _leakFound;

    /// <summary>N, where one rent in N is to ask.</summary>
    public int Interval => RecordsAll ? 1 : mode == LeakTracking.Off ? int.MaxValue : _rents.Interval;

    private bool RecordsAll => mode == LeakTracking.Full || Volatile.Read(ref _askers) != 0 || Volatile.Read(ref _isAfterLeak);

    /// <summary>From now on everything is recorded, until <see cref="EndAll"/>.</summary>
    /// <returns>A number that none of the earlier records has, and all later ones have, or a larger one.</returns>
    public int BeginAll()
    {
        int epoch = Interlocked.Increment(ref _epoch);
        Interlocked.Increment(ref _askers);
        return epoch;
    }

    /// <summary>Ends what <see cref="BeginAll"/> began.</summary>
    public void EndAll() => Interlocked.Decrement(ref _askers);

    /// <summary>A leak was found that was not recorded. Records everything until one is that began then, or for a while, if that was not done lately.</summary>
    /// <param name="now">When it was found.</param>
    /// <returns>Whether that begins now.</returns>
    public bool OnUnrecordedLeak(TimeSpan now)
    {
        if (mode != LeakTracking.Sampled)
        {
            return false;
        }

        using (_gate.Hold())
        {
            if (_leakFound is { } last && now >= last && now - last < s_betweenBegins)
            {
                return false;
            }

            _leakFound = now;
            Volatile.Write(ref _isAfterLeak, true);
            return true;
        }
    }

    /// <summary>A leak was found that was recorded.</summary>
    /// <param name="began">When its rent began.</param>
    public void OnRecordedLeak(TimeSpan began)
    {
        if (!Volatile.Read(ref _isAfterLeak))
        {
            return;
        }

        using (_gate.Hold())
        {
            if (_leakFound is { } found && began >= found)
            {
                Volatile.Write(ref _isAfterLeak, false);
            }
        }
    }

    /// <summary>Records a rent, a view or a pin. Throws what the application's clock throws.</summary>
    /// <returns>Null if it is not its turn.</returns>
    public RecordedTrace? TryRecordRent() => TryRecord(_rents, always: RecordsAll);

    /// <summary>Records a request that has to wait. Throws what the application's clock throws.</summary>
    /// <param name="isLarge">Whether it need not be its turn: what waits for much is rare, and waits longer than that takes.</param>
    /// <returns>Null if it is not its turn.</returns>
    public RecordedTrace? TryRecordWait(bool isLarge) => TryRecord(_waits, always: RecordsAll || (isLarge && mode != LeakTracking.Off));

    /// <summary>A record of something that began now, at a place that is known already.</summary>
    public RecordedTrace At(RentStack? place) => new(place, clock.Read(), Volatile.Read(ref _epoch));

    /// <summary>The line of the application that calls, whoever is to be recorded. Throws nothing.</summary>
    public string? DescribePlace() => TryCapture(out _, describes: true)?.Place;

    private RecordedTrace? TryRecord(CaptureSampler sampler, bool always)
    {
        if (always)
        {
            TimeSpan now = clock.Read();
            EndAfterLeak(now);
            return new RecordedTrace(TryCapture(out _), now, Volatile.Read(ref _epoch));
        }

        if (mode == LeakTracking.Off)
        {
            return null;
        }

        long began = time.GetTimestamp();
        if (!sampler.TryBegin(began))
        {
            return null;
        }

        bool isNew = false;
        try
        {
            return new RecordedTrace(TryCapture(out isNew), clock.ToTime(began), Volatile.Read(ref _epoch));
        }
        finally
        {
            sampler.End(began, isNew);
        }
    }

    private void EndAfterLeak(TimeSpan now)
    {
        if (!Volatile.Read(ref _isAfterLeak))
        {
            return;
        }

        using (_gate.Hold())
        {
            // A clock that goes backwards must not make it last forever.
            if (_leakFound is not { } found || now - found >= s_allAfterLeak || now < found)
            {
                Volatile.Write(ref _isAfterLeak, false);
            }
        }
    }

    private RentStack? TryCapture(out bool isNew, bool describes = false)
    {
        isNew = false;
        try
        {
            RentStack stack = _stacks.Capture(out isNew);
            if (describes)
            {
                // Files and lines are looked up here, where that may fail.
                _ = stack.Place;
            }

            return stack;
        }
#pragma warning disable CA1031 // A rent or a return does not fail for a report: no memory, or code that the runtime cannot describe.
        catch (Exception e)
        {
            // What looks for symbols has locks.
            Uninterrupted.Keep(e);
            return null;
        }
#pragma warning restore CA1031
    }
}

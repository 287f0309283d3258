using PixelPool.Application;
using PixelPool.Lifetime;
using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>Records when and where rents begin: all of them, none, or as many as cost little. One that is not recorded pays one comparison in its stripe.</summary>
/// <param name="mode">Which ones, while nobody asks for all.</param>
/// <param name="clock">The application's clock. Where it fails, no sample is due, and what is recorded has no age.</param>
internal sealed class RentRecorder(LeakTracking mode, ApplicationClock clock)
{
    private static readonly TimeSpan s_allAfterLeak = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_betweenBegins = TimeSpan.FromMinutes(10);

    private readonly CaptureSampler _sampler = new();
    private readonly RentStackTable _stacks = new();
    private int _askers;
    private int _epoch;

    // Ticks. It begins long ago.
    private long _leakFound = long.MinValue / 2;
    private volatile bool _isAfterLeak;

    /// <summary>N, where one rent in N is to ask.</summary>
    public int Interval => RecordsAll ? 1 : mode == LeakTracking.Off ? int.MaxValue : _sampler.Interval;

    private bool RecordsAll => mode == LeakTracking.Full || Volatile.Read(ref _askers) != 0 || _isAfterLeak;

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

    /// <summary>
    /// A leak was found that was not recorded. What leaks now leaks again, and is to have a name: so everything is recorded for a while, if that was not done lately.
    /// Called by the thread of finalizers only.
    /// </summary>
    /// <param name="now">When it was found.</param>
    /// <returns>Whether that begins now.</returns>
    public bool OnUnrecordedLeak(TimeSpan now)
    {
        if (mode != LeakTracking.Sampled || HasFoundLeak(now, s_betweenBegins))
        {
            return false;
        }

        Volatile.Write(ref _leakFound, now.Ticks);
        _isAfterLeak = true;
        return true;
    }

    /// <summary>Records a rent, a request that has to wait, a view or a pin. Throws only for lack of memory.</summary>
    /// <param name="isRare">Whether it need not be its turn, unless nothing is recorded.</param>
    /// <returns>Null if it is not its turn.</returns>
    public RentTrace? TryRecord(bool isRare)
    {
        bool always = RecordsAll || (isRare && mode != LeakTracking.Off);
        if (mode == LeakTracking.Off && !always)
        {
            return null;
        }

        // Before the time: a leak that is found in between is later than that, and is not to end what it began.
        bool isAfterLeak = _isAfterLeak;
        TimeSpan? now = clock.TryRead();
        if (isAfterLeak && (now is not { } time || !HasFoundLeak(time, s_allAfterLeak)))
        {
            _isAfterLeak = false;
        }

        if (!always && (now is not { } due || !_sampler.TryBegin(due)))
        {
            return null;
        }

        try
        {
            return new RentTrace(TryCapture(), now, Volatile.Read(ref _epoch));
        }
        finally
        {
            if (!always)
            {
                _sampler.End(now!.Value, clock.TryRead() ?? now.Value);
            }
        }
    }

    /// <summary>A record of something that began now, at a place that is known already. Throws only for lack of memory.</summary>
    public RentTrace At(object? stack) => new(stack, clock.TryRead(), Volatile.Read(ref _epoch));

    /// <summary>The line of the application that calls, whoever is to be recorded. Throws nothing.</summary>
    public string? DescribePlace() => TryCapture(describes: true)?.Place;

    // A clock that goes backwards must not make it last forever.
    private bool HasFoundLeak(TimeSpan now, TimeSpan within)
    {
        long since = now.Ticks - Volatile.Read(ref _leakFound);
        return since >= 0 && since < within.Ticks;
    }

    private RentStack? TryCapture(bool describes = false)
    {
        try
        {
            RentStack stack = _stacks.Capture();
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

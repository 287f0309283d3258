using System.Diagnostics.Tracing;
using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Lifetime;
using PixelPool.Threading;
using Keywords = PixelPool.Diagnostics.PixelPoolEventSource.Keywords;

namespace PixelPool.Diagnostics;

/// <summary>Records when and where rents begin: all of them, none, or as many as cost little. One that is not recorded pays one comparison in its stripe.</summary>
/// <param name="name">What events call the allocator, or the pool.</param>
/// <param name="mode">Which ones, while nobody asks for all.</param>
internal abstract class RentRecorder(string name, LeakTracking mode) : MemoryEvents(name)
{
    /// <summary>How many trackers have begun: every record has the number that there was. Changed by one thread at a time.</summary>
    protected volatile int Epoch;

    private static readonly TimeSpan s_allAfterLeak = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_betweenBegins = TimeSpan.FromMinutes(10);

    private readonly CaptureSampler _sampler = new();
    private readonly RentStackTable _stacks = new();

    // Ticks. It begins long ago.
    private long _leakFound = long.MinValue / 2;
    private volatile bool _isAfterLeak;

    /// <inheritdoc cref="IMemoryListener.SampleInterval"/>
    public int SampleInterval => PixelPoolEventSource.IsListeningTo(Keywords.Rents, EventLevel.Verbose) || RecordsAll ? 1 : mode == LeakTracking.Off ? int.MaxValue : _sampler.Interval;

    /// <summary>Who asks for everything to be recorded. Changed by one thread at a time; how many there are may be read beside that.</summary>
    protected readonly List<LeakTracker> Trackers = new(4);

    /// <summary>The application's clock. Where it fails, no sample is due, and what is recorded has no age.</summary>
    protected abstract ApplicationClock Clock { get; }

    private bool RecordsAll => mode == LeakTracking.Full || Trackers.Count != 0 || _isAfterLeak;

    /// <summary>
    /// A leak was found that was not recorded. What leaks now leaks again, and is to have a name: so everything is recorded for a while, if that was not done lately.
    /// Called by the thread of finalizers only.
    /// </summary>
    /// <param name="now">When it was found.</param>
    /// <returns>Whether that begins now.</returns>
    protected bool OnUnrecordedLeak(TimeSpan now)
    {
        if (mode != LeakTracking.Sampled || HasFoundLeak(now, s_betweenBegins))
        {
            return false;
        }

        Volatile.Write(ref _leakFound, now.Ticks);
        _isAfterLeak = true;
        return true;
    }

    /// <inheritdoc cref="IRentListener.TryTrace"/>
    public RentTrace? TryTrace(bool isRare)
    {
        if (mode == LeakTracking.Off && !RecordsAll)
        {
            return null;
        }

        bool always = isRare || RecordsAll;

        // Before the time: a leak that is found in between is later than that, and is not to end what it began.
        bool isAfterLeak = _isAfterLeak;
        TimeSpan? now = Clock.TryRead();
        if (isAfterLeak && (now is not { } time || !HasFoundLeak(time, s_allAfterLeak)))
        {
            _isAfterLeak = false;
        }

        if (!always && (now is not { } due || !_sampler.TryBegin(due)))
        {
            return null;
        }

        RentStack? stack = TryCapture();
        if (!always)
        {
            _sampler.End(now!.Value, Clock.TryRead() ?? now.Value);
        }

        return new RentTrace(stack, now, Epoch);
    }

    /// <inheritdoc cref="IRentListener.OnGranted"/>
    public RentTrace? OnGranted(RentTrace? asked, bool isTraced) => asked?.Stack is not null || isTraced ? new RentTrace(asked?.Stack, Clock.TryRead(), Epoch) : null;

    /// <inheritdoc cref="IRentListener.DescribePlace"/>
    public string? DescribePlace() => TryCapture(describes: true)?.Place;

    // A clock that goes backwards must not make it last forever: what is less than 0 is more than any time.
    private bool HasFoundLeak(TimeSpan now, TimeSpan within) => (ulong)(now.Ticks - Volatile.Read(ref _leakFound)) < (ulong)within.Ticks;

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

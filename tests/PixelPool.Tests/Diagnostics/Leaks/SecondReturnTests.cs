using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Budgets;
using PixelPool.Tests.Diagnostics.Events;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>A lease that is disposed a second time: told with its line, to whoever listens, and never thrown.</summary>
public sealed class SecondReturnTests : IDisposable
{
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Event_names_the_line()
    {
        using PixelAllocator allocator = Create(LeakTracking.Full);
        using EventRecorder recorder = new EventRecorder(nameof(SecondReturnTests)).Enable(EventLevel.Error, PixelPoolEventSource.Keywords.Misuse);
        int line = ReturnTwice(allocator);
        RecordedEvent told = Assert.Single(recorder.Events);
        Assert.Equal("ReturnedTwice", told.Name);
        Assert.Contains($"{nameof(ReturnTwice)} in ", told.ToString(), StringComparison.Ordinal);
        Assert.Contains($":line {line}", told.ToString(), StringComparison.Ordinal);
        Assert.Equal(1, allocator.GetStatistics().SecondReturns);
    }

    [Fact]
    public void Tracker_names_the_line()
    {
        using PixelAllocator allocator = Create(LeakTracking.Off);
        using LeakTracker tracker = allocator.TrackLeaks();
        int line = ReturnTwice(allocator);
        var exception = Assert.Throws<PixelLeakException>(tracker.AssertNone);
        string? place = Assert.Single(exception.SecondReturns);
        Assert.Contains($"{nameof(ReturnTwice)} in ", place, StringComparison.Ordinal);
        Assert.EndsWith($":line {line}", place, StringComparison.Ordinal);
        Assert.StartsWith("1 handle was disposed twice:", exception.Message, StringComparison.Ordinal);
        Assert.Contains(place!, exception.Message, StringComparison.Ordinal);
        Assert.Empty(exception.Held);
        Assert.Empty(exception.Leaked);
    }

    [Fact]
    public void Tracker_knows_those_that_happened_while_it_was_there()
    {
        using PixelAllocator allocator = Create(LeakTracking.Full);
        ReturnTwice(allocator);
        using LeakTracker tracker = allocator.TrackLeaks();
        tracker.AssertNone();
        Assert.Equal(1, allocator.GetStatistics().SecondReturns);
    }

    [Fact]
    public void Clock_that_fails_does_not_reach_who_disposes()
    {
        var clock = new FailingClock(_system.Time);
        using PixelAllocator allocator = Create(LeakTracking.Full, clock);
        using LeakTracker tracker = allocator.TrackLeaks();
        PixelLease<byte> lease = allocator.Lease<byte>(10, 10);
        lease.Dispose();
        clock.GoodReads = clock.Reads;
        lease.Dispose();
        Assert.Contains(nameof(Clock_that_fails_does_not_reach_who_disposes), Assert.Single(Assert.Throws<PixelLeakException>(tracker.AssertNone).SecondReturns), StringComparison.Ordinal);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int ReturnTwice(PixelAllocator allocator)
    {
        PixelLease<byte> lease = allocator.Lease<byte>(10, 10);
        lease.Dispose();
        lease.Dispose();
        return SourceLine.Before();
    }

    private PixelAllocator Create(LeakTracking tracking, TimeProvider? time = null) => _system.CreateAllocator(configure: options =>
    {
        options.Name = nameof(SecondReturnTests);
        options.LeakTracking = tracking;
        options.TimeProvider = time ?? _system.Time;
    });
}

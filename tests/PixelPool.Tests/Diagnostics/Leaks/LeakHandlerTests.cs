using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Diagnostics.Events;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Handlers of leaks may fail, block, come and go: memory comes back, and the others are called.</summary>
public class LeakHandlerTests
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    [Fact]
    public void Handler_that_throws_disturbs_nobody_and_is_told()
    {
        using PixelAllocator allocator = Create(nameof(Handler_that_throws_disturbs_nobody_and_is_told));
        using EventRecorder recorder = new EventRecorder(nameof(Handler_that_throws_disturbs_nobody_and_is_told)).Enable(EventLevel.Error);
        allocator.Leaked += static (_, _) => throw new InvalidOperationException("a broken handler");
        using var leaks = new ReportedLeaks(allocator);
        Forget(allocator, 2);
        leaks.Next(2);
        Assert.Equal(2, allocator.GetStatistics().LeakedCount);

        // The second failure is told before the second handler is called.
        RecordedEvent[] failures = [.. recorder.Events.Where(static recorded => recorded.Name == "LeakHandlerFailed")];
        Assert.Equal(2, failures.Length);
        Assert.Contains("a broken handler", (string)failures[0].Payload[1]!, StringComparison.Ordinal);
    }

    [Fact]
    public void Handler_whose_exception_can_not_be_described_disturbs_nobody_and_is_told()
    {
        using PixelAllocator allocator = Create(nameof(IndescribableException));
        using EventRecorder recorder = new EventRecorder(nameof(IndescribableException)).Enable(EventLevel.Error);
        allocator.Leaked += static (_, _) => throw new IndescribableException();
        using var leaks = new ReportedLeaks(allocator);
        Forget(allocator, 1);
        leaks.Next();
        RecordedEvent failure = Assert.Single(recorder.Events, static recorded => recorded.Name == "LeakHandlerFailed");
        Assert.EndsWith(nameof(IndescribableException), (string)failure.Payload[1]!, StringComparison.Ordinal);
    }

    [Fact]
    public void Handler_that_blocks_holds_up_neither_memory_nor_finalizers()
    {
        using PixelAllocator allocator = Create("blocking");
        using var entered = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        allocator.Leaked += (_, _) =>
        {
            entered.Set();
            release.Wait(s_timeLimit);
        };
        Forget(allocator, 1);
        Assert.True(entered.Wait(s_timeLimit, TestContext.Current.CancellationToken));
        using var leaks = new ReportedLeaks(allocator);
        Forget(allocator, 3);
        Assert.Equal(4, allocator.GetStatistics().LeakedCount);
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        release.Set();
        leaks.Next(3);
    }

    [Fact]
    public void Leaks_that_wait_for_a_blocked_handler_are_bounded()
    {
        using PixelAllocator allocator = Create("bounded");
        using var entered = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        using var last = new CountdownEvent(1 + 1024);
        allocator.Leaked += (_, _) =>
        {
            entered.Set();
            release.Wait(s_timeLimit);
            last.Signal();
        };
        Forget(allocator, 1);
        Assert.True(entered.Wait(s_timeLimit, TestContext.Current.CancellationToken));
        Forget(allocator, 1500);
        Assert.Equal(1501, allocator.GetStatistics().LeakedCount);
        release.Set();
        Assert.True(last.Wait(s_timeLimit, TestContext.Current.CancellationToken));

        // Reports go on.
        using var leaks = new ReportedLeaks(allocator);
        last.Reset(1);
        Forget(allocator, 1);
        leaks.Next();
    }

    [Fact]
    public void Array_that_is_refused_ends_no_process_and_its_leak_is_reported() => ChildProcess.Run(ForgetRefusedArrays);

    [Fact]
    public void Leaks_of_a_dropped_allocator_are_reported()
    {
        using var heard = new CountdownEvent(1);
        ForgetAllocator(heard);
        Collector.CollectAll();
        Assert.True(heard.Wait(s_timeLimit, TestContext.Current.CancellationToken));
    }

    [Fact]
    public void Leaks_after_the_allocator_was_disposed_are_reported()
    {
        PixelAllocator allocator = Create("disposed");
        using var leaks = new ReportedLeaks(allocator);
        RentAndDisposeAllocator(allocator);
        Collector.CollectAll();
        Assert.Contains(nameof(RentAndDisposeAllocator), leaks.Next().Place, StringComparison.Ordinal);
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    private static void ForgetRefusedArrays()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = new RefusingArrayPool(), MaxRentedBytes = 1 << 20 });
        using var leaks = new ReportedLeaks(allocator);
        Forget(allocator, 3);
        leaks.Next(3);
        Assert.True(allocator.GetStatistics() is { LeakedCount: 3, RentedBytes: 0, ChargedBytes: 0 });
    }

    private static PixelAllocator Create(string name) =>
        PixelAllocator.Create(new PixelAllocatorOptions { BlockBytes = 64 << 10, LeakTracking = LeakTracking.Full, Name = name });

    private static void Forget(PixelAllocator allocator, int count)
    {
        RentAndForget(allocator, count);
        Collector.CollectAll();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentAndForget(PixelAllocator allocator, int count)
    {
        for (int i = 0; i < count; i++)
        {
            allocator.Rent<byte>(10, 1);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentAndDisposeAllocator(PixelAllocator allocator)
    {
        allocator.Rent<byte>(1024, 1024);
        allocator.Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetAllocator(CountdownEvent heard)
    {
        PixelAllocator allocator = Create("dropped");
        allocator.Leaked += (_, _) => heard.Signal();
        RentAndForget(allocator, 1);
    }

    private sealed class IndescribableException : Exception
    {
        public override string Message => throw new NotSupportedException();
    }
}

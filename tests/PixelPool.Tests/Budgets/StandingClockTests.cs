using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>A clock that nobody advances stops what is the application's time, and nothing else.</summary>
public class StandingClockTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    [Fact]
    public void Request_that_the_system_refuses_fails_all_the_same()
    {
        using TestSystem system = TestSystem.Alone();
        PixelAllocatorOptions options = system.Options();
        options.TimeProvider = new ManualTime();
        options.Pause = new PixelAllocatorOptions().Pause;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        system.Source.FailAlways();
        Exception? thrown = null;
        var thread = new Thread(() => thrown = Record.Exception(() => allocator.Rent<byte>(TestSystem.BlockBytes, 1))) { IsBackground = true };
        thread.Start();
        Assert.True(thread.Join(s_limit), "the request hangs");
        Assert.IsType<OutOfMemoryException>(thrown);
    }

    [Fact]
    public void Time_limit_of_a_rent_ends_when_the_clock_is_advanced()
    {
        using var system = new TestSystem();
        var time = new ManualTime();
        using PixelAllocator allocator = system.CreateAllocator(configure: options =>
        {
            options.TimeProvider = time;
            options.MaxRentedBytes = TestSystem.BlockBytes;
            options.RentTimeout = TimeSpan.FromHours(1);
        });
        using PixelBuffer<byte> held = allocator.Rent<byte>(TestSystem.BlockBytes, 1);
        Exception? thrown = null;
        var thread = new Thread(() => thrown = Record.Exception(() => allocator.Rent<byte>(TestSystem.BlockBytes, 1))) { IsBackground = true };
        thread.Start();
        Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1 && time.Waits == 1, s_limit));
        time.Advance(TimeSpan.FromMinutes(59));
        Assert.Equal(1, allocator.GetStatistics().WaitingRents);
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.True(thread.Join(s_limit), "the request hangs");
        Assert.IsType<PixelBudgetExceededException>(thrown);
        Assert.Equal((0, TimeSpan.FromHours(1)), (allocator.GetStatistics().WaitingRents, allocator.GetStatistics().WaitTime));
    }
}

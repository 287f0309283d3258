using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Application;

/// <summary>A clock whose timers call back while they are made, also those that are not to run yet.</summary>
[Trait("Category", "Long")]
public class EagerTimerTests
{
    [Fact]
    public void Nobody_makes_timers_forever() => ChildProcess.Run(Wait);

    private static void Wait()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = TestSystem.BlockBytes;
            options.TrimPolicy = TrimPolicy.Demand;
            options.TimeProvider = new EagerTime();
        });
        PixelBuffer<byte> first = allocator.Rent<byte>(256, 200);
        ValueTask<PixelBuffer<byte>> second = allocator.RentAsync<byte>(256, 200);
        Assert.False(second.IsCompleted);
        first.Dispose();
        second.AsTask().GetAwaiter().GetResult().Dispose();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    private sealed class EagerTime : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            callback(state);
            return base.CreateTimer(callback, state, dueTime, period);
        }
    }
}

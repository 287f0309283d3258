using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Application;

/// <summary>A clock whose timers call back while they are made, also those that are not to run yet.</summary>
[Trait("Category", "Long")]
public class EagerTimerTests
{
    /// <param name="onAnotherThread">Whether they do so on another thread, which has come back before they are made.</param>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Nobody_makes_timers_forever(bool onAnotherThread) => ChildProcess.Run(Wait, [onAnotherThread.ToString()]);

    private static void Wait(string[] arguments)
    {
        bool onAnotherThread = bool.Parse(arguments[0]);
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: options =>
        {
            options.MaxRentedBytes = TestSystem.BlockBytes;
            options.TrimPolicy = TrimPolicy.Demand;
            options.TimeProvider = new EagerTime(onAnotherThread);
        });
        PixelBuffer<byte> first = allocator.Rent<byte>(256, 200);
        ValueTask<PixelBuffer<byte>> second = allocator.RentAsync<byte>(256, 200);
        Assert.False(second.IsCompleted);
        first.Dispose();
        second.AsTask().GetAwaiter().GetResult().Dispose();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    private sealed class EagerTime(bool onAnotherThread) : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            if (onAnotherThread)
            {
                var other = new Thread(() => callback(state));
                other.Start();
                other.Join();
            }
            else
            {
                callback(state);
            }

            return base.CreateTimer(callback, state, dueTime, period);
        }
    }
}

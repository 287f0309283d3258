using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Objects that wait for a block, by a clock of the application that does what it should not.</summary>
public sealed unsafe class WaitAndClockTests : IDisposable
{
    private static readonly int s_perBlock = new PieceLayout(sizeof(Sized.Of32), TestSystem.BlockBytes).Capacity;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = new();
    private readonly ActingTime _time = new();

    public void Dispose()
    {
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }

    [Fact]
    public void What_the_clock_cancels_ends_the_call()
    {
        using PixelAllocator allocator = Create(s_limit);
        using PixelBuffer<byte> image = allocator.Rent<byte>(256, 200);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator);
        _time.OnTimer = static () => throw new OperationCanceledException();
        Simultaneously.Run(1, s_limit, _ => Assert.Throws<OperationCanceledException>(() => { objects.Allocate(); }));
        _time.OnTimer = null;
        Assert.Equal((0, 0), (objects.Count, allocator.GetStatistics().WaitingRents));
    }

    [Fact]
    public void Who_waits_hears_of_an_object_that_is_freed_after_the_clock_allocated_one()
    {
        using PixelAllocator allocator = Create(Timeout.InfiniteTimeSpan);
        using var objects = new FixedBlockAllocator<Sized.Of32>(allocator, checksFrees: true);
        nint[] items = [];
        bool isTaken = false;
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                nint[] all = [.. Enumerable.Range(0, s_perBlock).Select(_ => (nint)objects.Allocate())];
                Thread thread = Thread.CurrentThread;
                _time.OnTimestamp = () =>
                {
                    if (Thread.CurrentThread == thread)
                    {
                        _time.OnTimestamp = null;
                        objects.Free((Sized.Of32*)all[0]);
                        all[0] = (nint)objects.Allocate();
                        Volatile.Write(ref items, all);
                    }
                };
                objects.Allocate();
                Volatile.Write(ref isTaken, true);
                return;
            }

            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref items).Length != 0 && allocator.GetWaitingRents().Count == 1, s_limit));
            objects.Free((Sized.Of32*)items[1]);
            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref isTaken), s_limit), "it waits although an object is free");
        });
        Assert.Equal(s_perBlock, objects.Count);
    }

    private PixelAllocator Create(TimeSpan timeout) => _system.CreateAllocator(configure: options =>
    {
        options.MaxRentedBytes = TestSystem.BlockBytes;
        options.RentTimeout = timeout;
        options.TimeProvider = _time;
    });

    private sealed class ActingTime : TimeProvider
    {
        public Action? OnTimer { get; set; }

        public Action? OnTimestamp { get; set; }

        public override long GetTimestamp()
        {
            OnTimestamp?.Invoke();
            return base.GetTimestamp();
        }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            OnTimer?.Invoke();
            return base.CreateTimer(callback, state, dueTime, period);
        }
    }
}

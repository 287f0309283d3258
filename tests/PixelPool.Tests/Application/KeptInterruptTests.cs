using System.Buffers;
using PixelPool.Application;
using PixelPool.Budgets;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Threading;
using PixelPool.Tests.Trimming;

namespace PixelPool.Tests.Application;

/// <summary>Clocks, timers and pools of arrays have locks, at which a thread can be interrupted. The interrupt is none of their failures: it is kept for the next time that the thread blocks.</summary>
public sealed class KeptInterruptTests
{
    private readonly BlockingTime _time = new();

    [Fact]
    public void A_timer_is_started_all_the_same()
    {
        var timer = new ApplicationTimer(_time, static _ => { }, this);
        Thread.CurrentThread.Interrupt();
        Assert.Null(timer.Start(TimeSpan.FromSeconds(1)));
        Assert.True(PendingInterrupt.Take());
        Assert.Equal(1, _time.Manual.ActiveTimers);
    }

    /// <summary>Who waits for budget does so until it is interrupted, also while it begins to.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_wait_for_budget_ends_by_it(bool atFirstTimer)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: options =>
        {
            options.TimeProvider = _time;
            options.MaxRentedBytes = TestSystem.BlockBytes;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        PixelBuffer<byte> held = allocator.Rent<byte>(TestSystem.BlockBytes, 1);
        if (!atFirstTimer)
        {
            // The timers are there then, and are only started.
            using var cancelled = new CancellationTokenSource();
            ValueTask<PixelBuffer<byte>> before = allocator.RentAsync<byte>(TestSystem.BlockBytes, 1, cancellationToken: cancelled.Token);
            await cancelled.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await before);
            _time.Manual.Advance(PendingWaits.Period);
        }

        _time.InterruptsNext = true;
        Assert.Throws<ThreadInterruptedException>(() => allocator.Rent<byte>(TestSystem.BlockBytes, 1));
        Assert.False(_time.InterruptsNext);
        held.Dispose();
        allocator.Rent<byte>(TestSystem.BlockBytes, 1).Dispose();
    }

    [Fact]
    public void A_timer_is_ended_all_the_same()
    {
        var timer = new ApplicationTimer(_time, static _ => { }, this);
        _time.InterruptsNext = true;
        var listener = new RecordingListener();
        timer.End(listener);
        Assert.Empty(listener.Failures);
        Assert.True(PendingInterrupt.Take());
        Assert.Equal(1, _time.Ended);
    }

    [Fact]
    public void An_array_is_returned_all_the_same()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = new BlockingArrayPool() });
        PixelBuffer<byte> image = allocator.Rent<byte>(100, 1);
        Thread.CurrentThread.Interrupt();
        image.Dispose();
        Assert.True(PendingInterrupt.Take());
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    /// <summary>It has no room to be read beside the image: a longer one takes its place.</summary>
    [Fact]
    public void An_array_that_does_not_serve_is_returned_all_the_same()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = new BlockingArrayPool() });
        Thread.CurrentThread.Interrupt();
        using PixelBuffer<byte> image = allocator.Rent<byte>(100, 1);
        Assert.True(PendingInterrupt.Take());
    }

    /// <summary>A pool of arrays with a lock, which it takes when one comes back. Its arrays begin or end where pages do, so nothing can be read beside.</summary>
    private sealed class BlockingArrayPool : ArrayPool<byte>
    {
        public override byte[] Rent(int minimumLength)
        {
            byte[] array;
            do
            {
                array = GC.AllocateArray<byte>(minimumLength, pinned: true);
            }
            while (ArrayMargin.TryFind(array, minimumLength, out _));
            return array;
        }

        public override void Return(byte[] array, bool clearArray = false) => Thread.CurrentThread.Join(0);
    }

    /// <summary>A clock with a lock.</summary>
    private sealed class BlockingTime : TimeProvider
    {
        public ManualTime Manual { get; } = new();

        public bool InterruptsNext { get; set; }

        /// <summary>Timers that were disposed.</summary>
        public int Ended { get; private set; }

        public override long TimestampFrequency => Manual.TimestampFrequency;

        public override long GetTimestamp() => Manual.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Block();
            return new BlockingTimer(this, Manual.CreateTimer(callback, state, dueTime, period));
        }

        private void Block()
        {
            if (InterruptsNext)
            {
                InterruptsNext = false;
                Thread.CurrentThread.Interrupt();
            }

            Thread.CurrentThread.Join(0);
        }

        private sealed class BlockingTimer(BlockingTime time, ITimer timer) : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period)
            {
                time.Block();
                return timer.Change(dueTime, period);
            }

            public void Dispose()
            {
                time.Block();
                timer.Dispose();
                time.Ended++;
            }

            public ValueTask DisposeAsync() => timer.DisposeAsync();
        }
    }
}

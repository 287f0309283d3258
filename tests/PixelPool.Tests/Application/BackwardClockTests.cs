using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Budgets;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Trimming;
using PixelPool.Trimming;

namespace PixelPool.Tests.Application;

/// <summary>A clock of the application that goes back, as one that reads the time of day may, or jumps: nothing rests until it has caught up.</summary>
public sealed class BackwardClockTests
{
    private static readonly TimeSpan s_back = TimeSpan.FromHours(1);

    private readonly SettableTime _time = new();

    [Fact]
    public void Idle_memory_is_trimmed()
    {
        var pool = new FakeTrimmable { IdleBytes = 100 };
        var listener = new RecordingListener();
        TrimScheduler scheduler = TrimScheduler.Start(pool, listener, new PixelAllocatorOptions { TimeProvider = _time, MemoryPressure = new ManualMemoryPressure() })!;
        scheduler.Arm();
        pool.DueBytes = 30;
        _time.Now -= s_back;
        scheduler.OnGen2Collection();
        scheduler.OnGen2Collection();
        Assert.Equal((30, TrimReason.Gen2), Assert.Single(pool.Trimmed));
        _time.Now += TimeSpan.FromMinutes(1);
        scheduler.OnGen2Collection();
        Assert.Equal(2, pool.Trimmed.Count);
        GC.KeepAlive(pool);
    }

    [Fact]
    public void A_clock_that_counts_picoseconds_does_not_jump_within_a_second()
    {
        var clock = new ApplicationClock(new SilentListener(), new PicosecondTime());
        Assert.Equal((0.95, 0.96), (clock.ToTime(950_000_000_000).TotalSeconds, clock.ToTime(960_000_000_000).TotalSeconds));
    }

    [Fact]
    public void Leaks_are_searched_for()
    {
        var search = new LeakSearch(new MemoryAccounts(new SilentListener()));
        Assert.True(search.TryBegin(_time.Now));
        _time.Now -= s_back;
        Assert.True(search.TryBegin(_time.Now));
        Assert.False(search.TryBegin(_time.Now));
    }

    [Fact]
    public void Rents_are_recorded()
    {
        var sampler = new CaptureSampler();
        for (int i = 0; i <= CaptureSampler.FirstCaptures; i++)
        {
            Assert.True(sampler.TryBegin(_time.Now));
            sampler.End(_time.Now, _time.Now);
        }

        Assert.False(sampler.TryBegin(_time.Now));
        _time.Now -= s_back;
        Assert.True(sampler.TryBegin(_time.Now));
        Assert.False(sampler.TryBegin(_time.Now));
    }

    [Fact]
    public void Rents_after_a_leak_are_not_all_recorded_until_it_catches_up()
    {
        var recorder = new Recorder(_time);
        for (int i = 0; i < 2 * CaptureSampler.FirstCaptures; i++)
        {
            recorder.TryTrace(isRare: false);
        }

        Assert.NotEqual(1, recorder.SampleInterval);
        Assert.True(recorder.OnLeak(_time.Now));
        Assert.Equal(1, recorder.SampleInterval);
        _time.Now -= s_back;

        // The last one of those that are.
        Assert.NotNull(recorder.TryTrace(isRare: false));
        Assert.NotEqual(1, recorder.SampleInterval);
    }

    private sealed class Recorder(TimeProvider time) : RentRecorder("test", LeakTracking.Sampled)
    {
        protected override ApplicationClock Clock { get; } = new(new SilentListener(), time);

        public bool OnLeak(TimeSpan now) => OnUnrecordedLeak(now);
    }

    private sealed class SettableTime : TimeProvider
    {
        public TimeSpan Now { get; set; } = TimeSpan.FromDays(1000);

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now.Ticks;
    }

    /// <summary>However far: what was granted meanwhile is charged to nobody afterwards.</summary>
    [Theory]
    [InlineData(long.MinValue, long.MaxValue)]
    [InlineData(long.MaxValue, long.MinValue)]
    public async Task Waits_end(long before, long after)
    {
        _time.Now = TimeSpan.FromTicks(before);
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 300_000, TimeProvider = _time });
        PixelBuffer<byte> held = allocator.Rent<byte>(200_000, 1);
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(200_000, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.NotEmpty(allocator.GetWaitingRents());
        _time.Now = TimeSpan.FromTicks(after);
        Assert.NotEmpty(allocator.GetWaitingRents());
        Assert.NotEmpty(allocator.GetOutstandingRents());
        held.Dispose();
        (await waiting).Dispose();
        allocator.Trim();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().WaitingRents));
    }

    private sealed class PicosecondTime : TimeProvider
    {
        public override long TimestampFrequency => 1_000_000_000_000;
    }
}

using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Diagnostics.Sampling;

namespace PixelPool.Recording.Tests;

/// <summary>What is recorded, and when it ends.</summary>
public sealed class MemoryRecorderTests : IDisposable
{
    private readonly RecordedSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Samples_are_the_statistics_of_their_moment()
    {
        using MemoryRecorder recorder = _system.Start();
        var expected = new List<MemorySample> { Now() };
        using (_system.RentBlocks(3))
        {
            PassAPeriod();
            _system.RentBlocks(2).Dispose();
            PassAPeriod();
        }

        PassAPeriod();
        _system.Allocator.Trim();
        PassAPeriod();
        expected.Add(Now());
        MemoryRecording recording = recorder.Stop();

        Assert.Equal(expected, recording.Samples);
        Assert.Equal("recorded", recording.AllocatorName);
        Assert.Equal(4 * RecordedSystem.Period, recording.Duration);
        Assert.Equal(
            [0, 3, 3, 0, 0, 0],
            recording.Samples.Select(static sample => sample.Pool.RentedBytes / RecordedSystem.BlockBytes));
        Assert.Equal(5 * RecordedSystem.BlockBytes, recording.Samples[^1].Pool.TrimmedBytes);

        void PassAPeriod()
        {
            _system.ResidentBytes += 1 << 20;
            _system.Time.Advance(RecordedSystem.Period);
            expected.Add(Now());
        }

        MemorySample Now() => new(_system.Time.Elapsed, _system.ResidentBytes, _system.Allocator.GetStatistics());
    }

    [Fact]
    public void Without_an_allocator_only_resident_memory_is_recorded()
    {
        using var recorder = MemoryRecorder.Start(null, _system.Options);
        _system.Time.Advance(RecordedSystem.Period);
        MemoryRecording recording = recorder.Stop();
        Assert.Null(recording.AllocatorName);
        Assert.Equal(3, recording.Samples.Count);
        Assert.All(recording.Samples, static sample => Assert.Equal((1 << 20, default), (sample.ResidentBytes, sample.Pool)));
    }

    [Fact]
    public void The_systems_clock_and_memory_serve_when_nothing_else_is_said()
    {
        using var recorder = MemoryRecorder.Start(_system.Allocator);
        MemoryRecording recording = recorder.Stop();
        Assert.InRange(recording.Samples.Count, 2, int.MaxValue);
        Assert.All(recording.Samples, static sample => Assert.InRange(sample.ResidentBytes, 1 << 20, 1L << 40));
    }

    [Fact]
    public void A_moment_has_a_sample_of_its_own()
    {
        using MemoryRecorder recorder = _system.Start();
        _system.Time.Advance(RecordedSystem.Period / 2);
        using PixelBuffer<byte> image = _system.RentBlocks(1);
        MemoryMoment moment = recorder.Mark("half-way");
        _system.Time.Advance(RecordedSystem.Period);

        Assert.Equal("half-way", moment.Name);
        Assert.Equal(RecordedSystem.Period / 2, moment.Sample.Elapsed);
        Assert.Equal(_system.Allocator.GetStatistics(), moment.Sample.Pool);
        MemoryRecording recording = recorder.Stop();
        Assert.Equal([moment], recording.Moments);
        Assert.Equal([0, 5, 10, 15], recording.Samples.Select(static sample => sample.Elapsed.TotalMilliseconds));
        Assert.Equal(moment.Sample, recording.Samples[1]);
    }

    [Fact]
    public void More_moments_than_anybody_could_see_are_not_kept()
    {
        using MemoryRecorder recorder = _system.Start();
        for (int i = 0; i < MemoryRecorder.MaxMoments + 10; i++)
        {
            Assert.Equal($"{i}", recorder.Mark($"{i}").Name);
        }

        IReadOnlyList<MemoryMoment> moments = recorder.Stop().Moments;
        Assert.Equal(MemoryRecorder.MaxMoments, moments.Count);
        Assert.Equal("0", moments[0].Name);
    }

    [Fact]
    public void A_long_recording_takes_no_more_memory_and_loses_no_peak()
    {
        _system.ResidentBytes = 1 << 19;
        using MemoryRecorder recorder = _system.Start();
        for (int i = 0; i < 20 * SampleBuffer.Capacity; i++)
        {
            // The two peaks come at different moments, early, and each is one sample long.
            _system.ResidentBytes = i == 100 ? 1L << 30 : 1 << 20;
            using PixelBuffer<byte>? image = i == 102 ? _system.RentBlocks(9) : null;
            _system.Time.Advance(RecordedSystem.Period);
        }

        IReadOnlyList<MemorySample> samples = recorder.Stop().Samples;
        Assert.InRange(samples.Count, SampleBuffer.Capacity / 2, SampleBuffer.Capacity + 2);
        Assert.Equal((TimeSpan.Zero, 1 << 19), (samples[0].Elapsed, samples[0].ResidentBytes));
        Assert.Equal(1L << 30, samples.Max(static sample => sample.ResidentBytes));
        Assert.Equal(9 * RecordedSystem.BlockBytes, samples.Max(static sample => sample.Pool.RentedBytes));
        Assert.Equal(samples.OrderBy(static sample => sample.Elapsed), samples);

        // Half of it went after 1, 2, 4, 8 and 16 times the capacity: the period is 32 times as long.
        Assert.Equal(32 * RecordedSystem.Period, samples[^2].Elapsed - samples[^3].Elapsed);
        Assert.Equal(20 * SampleBuffer.Capacity * RecordedSystem.Period, samples[^1].Elapsed);
    }

    [Fact]
    public void A_sample_allocates_nothing()
    {
        var time = new CallbackTime();
        using var recorder = MemoryRecorder.Start(_system.Allocator, new MemoryRecorderOptions { TimeProvider = time });
        AllocationMeter.AssertAllocates(0, () =>
        {
            // In all together half of the samples go several times.
            for (int i = 0; i < 100; i++)
            {
                time.Fire();
            }
        });
        Assert.InRange(recorder.Stop().Samples.Count, SampleBuffer.Capacity / 2, SampleBuffer.Capacity + 2);
    }

    [Fact]
    public void Nothing_is_recorded_after_the_end()
    {
        MemoryRecorder recorder = _system.Start();
        MemoryRecording recording = recorder.Stop();
        Assert.Equal(2, recording.Samples.Count);
        Assert.Equal(0, _system.Time.Timers);
        Assert.Same(recording, recorder.Stop());
        Assert.Throws<ObjectDisposedException>(() => recorder.Mark("late"));

        recorder.Dispose();
        recorder.Dispose();
        Assert.Same(recording, recorder.Stop());
        Assert.Equal(2, recording.Samples.Count);
        Assert.Empty(recording.Moments);
    }

    [Fact]
    public void What_is_disposed_without_a_stop_is_lost()
    {
        MemoryRecorder recorder = _system.Start();
        recorder.Dispose();
        recorder.Dispose();
        Assert.Equal(0, _system.Time.Timers);
        Assert.Throws<ObjectDisposedException>(recorder.Stop);
        Assert.Throws<ObjectDisposedException>(() => recorder.Mark("late"));
    }

    [Fact]
    public void A_forgotten_recorder_is_collected_with_its_allocator()
    {
        (WeakReference recorder, WeakReference allocator) = Forget(_system.Time);
        Collector.CollectAll();
        Assert.False(recorder.IsAlive);
        Assert.False(allocator.IsAlive);

        // Nothing else ends a timer of the system that nobody knows any more.
        _system.Time.Advance(RecordedSystem.Period);
        Assert.Equal(0, _system.Time.Timers);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-10_000)]
    [InlineData(9_999)]
    [InlineData(long.MaxValue)]
    public void Bad_periods_are_refused(long ticks)
    {
        ArgumentOutOfRangeException error = Assert.Throws<ArgumentOutOfRangeException>(
            () => MemoryRecorder.Start(null, new MemoryRecorderOptions { Period = TimeSpan.FromTicks(ticks) }));
        Assert.Equal("Period", error.ParamName);
    }

    [Fact]
    public void Nulls_are_refused()
    {
        Assert.Equal("TimeProvider", Assert.Throws<ArgumentNullException>(
            () => MemoryRecorder.Start(null, new MemoryRecorderOptions { TimeProvider = null! })).ParamName);
        using MemoryRecorder recorder = _system.Start();
        Assert.Equal("name", Assert.Throws<ArgumentNullException>(() => recorder.Mark(null!)).ParamName);
        MemoryRecording recording = recorder.Stop();
        Assert.Equal("writer", Assert.Throws<ArgumentNullException>(() => recording.WriteCsv(null!)).ParamName);
        Assert.Equal("writer", Assert.Throws<ArgumentNullException>(() => recording.WriteSvg(null!)).ParamName);
    }

    [Fact]
    public void Many_threads_mark_and_stop_at_once()
    {
        const int Threads = 8;
        for (int round = 0; round < 50; round++)
        {
            using MemoryRecorder recorder = _system.Start();
            var recordings = new MemoryRecording[Threads];
            var marked = new int[Threads];
            Simultaneously.Run(Threads, thread =>
            {
                try
                {
                    for (; marked[thread] < 20 * (thread + 1); marked[thread]++)
                    {
                        recorder.Mark($"{thread}");
                    }
                }
                catch (ObjectDisposedException)
                {
                    // Another one stopped it: that is the race.
                }

                recordings[thread] = recorder.Stop();
            });
            Assert.All(recordings, recording => Assert.Same(recordings[0], recording));
            Assert.Equal(marked.Sum(), recordings[0].Moments.Count);
            Assert.Equal(marked.Sum() + 2, recordings[0].Samples.Count);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (WeakReference Recorder, WeakReference Allocator) Forget(ManualTime time)
    {
        var allocator = PixelAllocator.Create();
        var recorder = MemoryRecorder.Start(allocator, new MemoryRecorderOptions { Period = RecordedSystem.Period, TimeProvider = time });
        Assert.Equal(1, time.Timers);
        return (new WeakReference(recorder), new WeakReference(allocator));
    }

    /// <summary>A clock that stands still, whose timer fires when the test says so, and which allocates nothing.</summary>
    private sealed class CallbackTime : TimeProvider
    {
        private TimerCallback? _callback;
        private object? _state;

        public override long GetTimestamp() => 0;

        public void Fire() => _callback!(_state);

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            (_callback, _state) = (callback, state);
            return new ManualTime().CreateTimer(callback, state, Timeout.InfiniteTimeSpan, period);
        }
    }
}

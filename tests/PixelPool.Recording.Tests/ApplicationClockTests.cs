using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Testing;

namespace PixelPool.Recording.Tests;

/// <summary>The clock is the application's: it may throw and go back, and what flows with its caller is not the recorder's.</summary>
public sealed class ApplicationClockTests : IDisposable
{
    private readonly RecordedSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void A_stop_that_fails_loses_nothing()
    {
        var time = new OtherTime(_system.Time);
        using var recorder = MemoryRecorder.Start(_system.Allocator, new MemoryRecorderOptions { Period = RecordedSystem.Period, TimeProvider = time });
        _system.Time.Advance(2 * RecordedSystem.Period);
        time.Fails = true;
        Assert.Throws<InvalidOperationException>(recorder.Stop);
        time.Fails = false;
        _system.Time.Advance(RecordedSystem.Period);
        Assert.Equal([0, 10, 20, 30, 30], recorder.Stop().Samples.Select(static sample => sample.Elapsed.TotalMilliseconds));
        Assert.Equal(0, _system.Time.Timers);
    }

    [Fact]
    public void A_timer_that_cannot_be_ended_loses_nothing()
    {
        var time = new OtherTime(_system.Time) { TimerFailure = new InvalidOperationException("timer") };
        using var recorder = MemoryRecorder.Start(_system.Allocator, new MemoryRecorderOptions { Period = RecordedSystem.Period, TimeProvider = time });
        _system.Time.Advance(RecordedSystem.Period);
        MemoryRecording recording = recorder.Stop();
        Assert.Equal(3, recording.Samples.Count);
        _system.Time.Advance(RecordedSystem.Period);
        Assert.Same(recording, recorder.Stop());
    }

    /// <summary>The last tick of a forgotten recorder comes on a thread of the timer: what leaves it ends the process.</summary>
    [Fact]
    public void A_timer_that_cannot_be_ended_does_no_harm_where_a_recorder_was_forgotten()
    {
        Forget(new OtherTime(_system.Time) { TimerFailure = new InvalidOperationException("timer") });
        Collector.CollectAll();
        Assert.Null(Record.Exception(() => _system.Time.Advance(RecordedSystem.Period)));
    }

    /// <summary>The timer of the system has a lock, at which a thread can be interrupted.</summary>
    [Fact]
    public void An_interrupt_at_the_timer_is_kept()
    {
        var time = new OtherTime(_system.Time) { TimerFailure = new ThreadInterruptedException() };
        using var recorder = MemoryRecorder.Start(_system.Allocator, new MemoryRecorderOptions { Period = RecordedSystem.Period, TimeProvider = time });
        Assert.NotNull(recorder.Stop());
        Assert.Throws<ThreadInterruptedException>(() => Thread.CurrentThread.Join(TimeSpan.FromSeconds(20)));
        Assert.Equal(0, _system.Time.Timers);
    }

    [Fact]
    public void What_flows_with_the_caller_does_not_stay_with_the_timer()
    {
        var flows = new AsyncLocal<string?> { Value = "caller" };
        bool captured = true;
        _system.Time.OnTimerCreated = _ => captured = !ExecutionContext.IsFlowSuppressed();
        using MemoryRecorder recorder = _system.Start();
        Assert.False(captured);
        Assert.False(ExecutionContext.IsFlowSuppressed());
        Assert.Equal("caller", flows.Value);
    }

    [Fact]
    public void Moments_are_in_the_order_of_time_after_the_clock_went_back()
    {
        var time = new OtherTime(_system.Time);
        using var recorder = MemoryRecorder.Start(null, new MemoryRecorderOptions { Period = RecordedSystem.Period, TimeProvider = time, ResidentBytes = static () => 1 });
        _system.Time.Advance(RecordedSystem.Period / 2);
        recorder.Mark("one");
        time.Behind = RecordedSystem.Period / 5;
        recorder.Mark("two");
        MemoryRecording recording = recorder.Stop();

        Assert.Equal(["two", "one"], recording.Moments.Select(static moment => moment.Name));
        using var csv = new StringWriter();
        recording.WriteCsv(csv);
        Assert.Contains("\n0.003,1,,,,,,,,,,two\n0.005,1,,,,,,,,,,one\n", csv.ToString(), StringComparison.Ordinal);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(TimeProvider time) => _ = MemoryRecorder.Start(null, new MemoryRecorderOptions { Period = RecordedSystem.Period, TimeProvider = time });

    /// <summary>A clock that a test lets fail or go back.</summary>
    private sealed class OtherTime(ManualTime time) : TimeProvider
    {
        public bool Fails { get; set; }

        public Exception? TimerFailure { get; set; }

        public TimeSpan Behind { get; set; }

        public override long TimestampFrequency => time.TimestampFrequency;

        public override long GetTimestamp() => Fails ? throw new InvalidOperationException("clock") : time.GetTimestamp() - Behind.Ticks;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            ITimer timer = time.CreateTimer(callback, state, dueTime, period);
            return TimerFailure is null ? timer : new EndlessTimer(timer, TimerFailure);
        }
    }

    private sealed class EndlessTimer(ITimer timer, Exception failure) : ITimer
    {
        private bool _wasInterrupted;

        public bool Change(TimeSpan dueTime, TimeSpan period) => timer.Change(dueTime, period);

        public void Dispose()
        {
            if (!_wasInterrupted)
            {
                // An interrupt comes once.
                _wasInterrupted = failure is ThreadInterruptedException;
                throw failure;
            }

            timer.Dispose();
        }

        public ValueTask DisposeAsync() => timer.DisposeAsync();
    }
}

using PixelPool.Diagnostics.Sampling;

namespace PixelPool.Diagnostics;

/// <summary>
/// Records the memory of an allocator and of the process every few milliseconds. The recording can be read, saved as CSV or drawn afterwards.
/// </summary>
/// <remarks>
/// <para>
/// A sample takes microseconds and allocates nothing. Renting does not get slower. A recorder takes about half a megabyte, however long it runs. When it has
/// 2,048 samples it keeps half of them, including those with the most resident and the most rented memory, and from then on takes samples half as often.
/// </para>
/// <para>
/// Samples are taken by a timer on a thread of the thread pool. If all of its threads are busy, samples come late. A forgotten recorder is collected and stops.
/// All members are thread-safe.
/// </para>
/// </remarks>
public sealed class MemoryRecorder : IDisposable
{
    /// <summary>More moments than this are not kept: no chart could show them.</summary>
    internal const int MaxMoments = 1024;

    private readonly object _lock = new();
    private readonly PixelAllocator? _allocator;
    private readonly TimeProvider _time;
    private readonly Func<long> _residentBytes;
    private readonly MemorySample _first;
    private readonly SampleBuffer _samples = new();
    private readonly List<MemoryMoment> _moments = [];
    private readonly long _start;
    private readonly ITimer _timer;
    private TimeSpan _period;
    private MemoryRecording? _recording;
    private bool _ended;

    private MemoryRecorder(PixelAllocator? allocator, MemoryRecorderOptions options)
    {
        _allocator = allocator;
        _time = options.TimeProvider;
        _residentBytes = options.ResidentBytes;
        _period = options.Period;
        lock (_lock)
        {
            _start = _time.GetTimestamp();
            _first = Look();
            var tick = new RecorderTick(this);
            _timer = tick.Timer = StartTimer(tick);
        }
    }

    /// <summary>Starts a recording; its first sample is taken at once.</summary>
    /// <param name="allocator">Whose statistics are recorded. Null: only the resident memory of the process is.</param>
    /// <param name="options">The options. Default: null, which uses the defaults.</param>
    /// <returns>The running recorder. The caller stops or disposes it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    /// <exception cref="ArgumentNullException">An option that must not be null is null.</exception>
    public static MemoryRecorder Start(PixelAllocator? allocator, MemoryRecorderOptions? options = null)
    {
        options ??= new MemoryRecorderOptions();
        options.Validate();
        return new MemoryRecorder(allocator, options);
    }

    /// <summary>Takes a sample now and gives it a name, which the chart shows. The first 1,024 are kept.</summary>
    /// <param name="name">What happens now.</param>
    /// <returns>The name and the sample.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The recorder was stopped or disposed.</exception>
    public MemoryMoment Mark(string name)
    {
        if (name is null)
        {
            throw new ArgumentNullException(nameof(name));
        }

        lock (_lock)
        {
            if (_ended)
            {
                throw new ObjectDisposedException(nameof(MemoryRecorder));
            }

            var moment = new MemoryMoment(name, Look());
            if (_moments.Count < MaxMoments)
            {
                _moments.Add(moment);
            }

            return moment;
        }
    }

    /// <summary>Takes a last sample and ends the recording.</summary>
    /// <returns>The recording: the same one, however often this is called.</returns>
    /// <exception cref="ObjectDisposedException">The recorder was disposed before it was stopped.</exception>
    /// <remarks>If the clock of the application throws, its exception is thrown. The recording then goes on, and can be stopped again.</remarks>
    public MemoryRecording Stop()
    {
        lock (_lock)
        {
            if (_recording is null)
            {
                if (_ended)
                {
                    throw new ObjectDisposedException(nameof(MemoryRecorder));
                }

                // Before the end: what fails here can be tried again.
                _recording = new MemoryRecording(_allocator?.Name, InOrder(last: Look()), [.. _moments.OrderBy(static moment => moment.Sample.Elapsed)]);
                End();
            }

            return _recording;
        }
    }

    /// <summary>
    /// Ends the recording. What <see cref="Stop"/> returned before stays valid. Without it, the samples are lost. Calling it again does nothing.
    /// </summary>
    public void Dispose()
    {
        lock (_lock)
        {
            if (!_ended)
            {
                End();
            }
        }
    }

    /// <summary>Takes a sample, unless the recording has ended.</summary>
    internal void OnTimer()
    {
        // Somebody else is taking a sample: this one would tell nothing new, and threads of the pool do not queue up here.
        if (!Monitor.TryEnter(_lock))
        {
            return;
        }

        try
        {
            if (!_ended)
            {
                AddSample();
            }
        }
#pragma warning disable CA1031 // The clock is the application's, and a sample that is missing ends no process.
        catch (Exception)
        {
        }
#pragma warning restore CA1031
        finally
        {
            Monitor.Exit(_lock);
        }
    }

    // Under the lock, as everything below.
    private void AddSample()
    {
        if (_samples.IsFull)
        {
            _samples.Halve();
            SlowDown();
        }

        _samples.Add(Look());
    }

    private void SlowDown()
    {
        TimeSpan doubled = TimeSpan.FromTicks(_period.Ticks * 2);
        if (doubled.TotalMilliseconds <= int.MaxValue)
        {
            _period = doubled;
            _timer.Change(doubled, doubled);
        }
    }

    private MemorySample Look() => new(_time.GetElapsedTime(_start), _residentBytes(), _allocator?.GetStatistics() ?? default);

    // A timer captures the execution context. This one runs as long as the recorder: it must not hold what flows with its caller.
    private ITimer StartTimer(RecorderTick tick)
    {
        using AsyncFlowControl? flow = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        return _time.CreateTimer(static state => ((RecorderTick)state!).Run(), tick, _period, _period);
    }

    private void End()
    {
        _ended = true;
        End(_timer);
    }

    /// <summary>Ends a timer. Throws nothing: its last tick may be all that knows it.</summary>
    internal static void End(ITimer? timer)
    {
        if (IsInterrupted(timer))
        {
            // At its lock, before it ended: once more. The interrupt is kept for the next time that the thread blocks.
            IsInterrupted(timer);
            Thread.CurrentThread.Interrupt();
        }
    }

    private static bool IsInterrupted(ITimer? timer)
    {
        try
        {
            timer?.Dispose();
            return false;
        }
        catch (ThreadInterruptedException)
        {
            return true;
        }
#pragma warning disable CA1031 // The timer is the application's. A tick that comes nevertheless does nothing.
        catch (Exception)
        {
            return false;
        }
#pragma warning restore CA1031
    }

    // The first and the last one are there, whatever else went: what happened in between is the difference of the two. Moments are ordered in the same way: a clock may go back.
    private MemorySample[] InOrder(MemorySample last)
    {
        IEnumerable<MemorySample> between = _samples.Samples.ToArray().Concat(_moments.Select(static moment => moment.Sample));
        return [_first, .. between.OrderBy(static sample => sample.Elapsed), last];
    }
}

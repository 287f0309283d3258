using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Engines;

namespace PixelPool.Benchmarks.Metering;

/// <summary>
/// Lives in the process of a benchmark and adds up what the measured rounds ask for, and nothing of what lies between them: the engine
/// announces the start and the end of each round outside of the time it measures. What announcing allocates is learnt from its empty rounds.
/// </summary>
internal sealed class RunMeter : EventListener
{
    private static RunMeter? s_instance;

    private readonly MeterFile _file;
    private readonly List<double> _managedBytes = new(capacity: 64);
    private long _operations;
    private Counts _total;
    private Counts _atStart;
    private long _announcementBytes = long.MaxValue;

    private RunMeter(MeterFile file) => _file = file;

    private long AnnouncementBytes => _announcementBytes == long.MaxValue ? 0 : _announcementBytes;

    /// <summary>A figure that a benchmark finds out itself.</summary>
    public static void Report(string name, double value) => s_instance?._file.Append(name, value);

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == EngineEventSource.SourceName)
        {
            EnableEvents(eventSource, EventLevel.Informational);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        switch (eventData.EventId)
        {
            case EngineEventSource.OverheadActualStartEventId or EngineEventSource.WorkloadActualStartEventId:
                _atStart = Counts.Now();
                break;
            case EngineEventSource.OverheadActualStopEventId:
                _announcementBytes = Math.Min(_announcementBytes, (Counts.Now() - _atStart).ManagedBytes);
                break;
            case EngineEventSource.WorkloadActualStopEventId:
                Counts round = Counts.Now() - _atStart;
                long operations = (long)eventData.Payload![0]!;
                _total += round;
                _operations += operations;
                _managedBytes.Add((double)Math.Max(0, round.ManagedBytes - AnnouncementBytes) / operations);
                break;
            case EngineEventSource.BenchmarkStopEventId when _operations > 0:
                _file.Append(Figure.ManagedBytes.Id, MedianManagedBytes());
                _file.Append(Figure.NativeBytes.Id, (double)_total.NativeBytes / _operations);
                if (PageFaults.AreCounted)
                {
                    _file.Append(Figure.Faults.Id, (double)_total.Faults / _operations);
                }

                break;
        }
    }

    /// <summary>Runs before anything of this assembly; only processes of benchmarks find a file.</summary>
    [ModuleInitializer]
    internal static void Start()
    {
        if (MeterFile.Inherited() is { } file)
        {
            s_instance = new RunMeter(file);
        }
    }

    /// <summary>The engine allocates a little in its first round, too, which a mean would spread over few slow operations.</summary>
    private double MedianManagedBytes()
    {
        _managedBytes.Sort();
        return _managedBytes[_managedBytes.Count / 2];
    }
}

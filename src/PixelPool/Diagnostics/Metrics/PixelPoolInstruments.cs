using System.Diagnostics.Metrics;

namespace PixelPool.Diagnostics.Metrics;

/// <summary>
/// The instruments of a meter "PixelPool", which <c>docs/metrics.md</c> lists. All but that of the durations of waits are observable: each reads the statistics anew when somebody collects,
/// some microseconds for an allocator, so no value is ever older than the question.
/// </summary>
internal sealed class PixelPoolInstruments
{
    private const string OutcomeTag = "pixelpool.outcome";
    private const string AllocatorTag = "pixelpool.allocator";
    private const string Seconds = "s";

    private readonly Func<Figure, IReadOnlyDictionary<string, long?>> _collect;
    private readonly Meter _meter;
    private Histogram<double>? _waits;

    /// <param name="collect">The values of a figure that each name has now.</param>
    /// <param name="meter">What they are instruments of.</param>
    public PixelPoolInstruments(Func<Figure, IReadOnlyDictionary<string, long?>> collect, Meter meter)
    {
        _collect = collect;
        _meter = meter;
        foreach (IGrouping<string, Figure> parts in Figure.All.GroupBy(static figure => "pixelpool." + figure.Instrument))
        {
            Create(() => Publish(parts.Key, parts.First(), parts));
        }

        Create(() => _waits = CreateWaits());
        Create(() => _waits ??= FindWaits());
    }

    /// <summary>Records a wait that ended, in seconds.</summary>
    public void RecordWait(string allocator, TimeSpan waited, string outcome)
    {
        if (_waits is { Enabled: true })
        {
            _waits.Record(waited.TotalSeconds, Tag(AllocatorTag, allocator), Tag(OutcomeTag, outcome == "TimedOut" ? "timed_out" : outcome.ToLowerInvariant()));
        }
    }

    private Histogram<double> CreateWaits()
    {
        const string Name = "pixelpool.wait_time";
        const string Description = "How long requests waited for budget, when their waits end.";
#if NET9_0_OR_GREATER
        // Without advice OpenTelemetry's buckets end at 0, 5, 10, 25 … seconds: nearly all waits are in one. Here they have the steps of http.server.request.duration, from shorter
        // to longer waits; 5 s is also the default of LongWaitThreshold.
        var advice = new InstrumentAdvice<double> { HistogramBucketBoundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] };
        return _meter.CreateHistogram(Name, Seconds, Description, tags: null, advice);
#else
        return _meter.CreateHistogram<double>(Name, Seconds, Description);
#endif
    }

    // Who threw was not the first to hear of it: others may have begun to measure.
    private Histogram<double>? FindWaits()
    {
        Histogram<double>? waits = null;
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, _) => waits = instrument.Meter == _meter && instrument is Histogram<double> found ? found : waits;
        listener.Start();
        return waits;
    }

    private Instrument Publish(string name, Figure figure, IEnumerable<Figure> parts) => figure.Kind switch
    {
        FigureKind.Counter => _meter.CreateObservableCounter(name, () => Measure(parts, static count => count), figure.Unit, figure.Description),
        FigureKind.Level => _meter.CreateObservableUpDownCounter(name, () => Measure(parts, static level => level), figure.Unit, figure.Description),
        _ => _meter.CreateObservableGauge(name, () => Measure(parts, static ticks => (double)ticks / TimeSpan.TicksPerSecond), figure.Unit, figure.Description),
    };

    // Whoever listens is called for each instrument: what one of them throws ends no allocator, and leaves no other instrument out.
    private void Create(Action create)
    {
        try
        {
            create();
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception failure)
        {
            ApplicationFailure.Report(_meter.Name, "MeterListener.InstrumentPublished", failure);
        }
#pragma warning restore CA1031
    }

    private IEnumerable<Measurement<T>> Measure<T>(IEnumerable<Figure> parts, Func<long, T> convert)
        where T : struct
    {
        foreach (Figure part in parts)
        {
            foreach ((string name, long? value) in _collect(part))
            {
                if (value is { } measured)
                {
                    KeyValuePair<string, object?> allocator = Tag(AllocatorTag, name);
                    yield return part.Tag is { } tag ? new Measurement<T>(convert(measured), allocator, tag) : new Measurement<T>(convert(measured), allocator);
                }
            }
        }
    }

    private static KeyValuePair<string, object?> Tag(string key, string value) => new(key, value);
}

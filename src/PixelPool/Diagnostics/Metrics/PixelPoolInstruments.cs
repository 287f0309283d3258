using System.Diagnostics.Metrics;
using PixelPool.Threading;

namespace PixelPool.Diagnostics.Metrics;

/// <summary>
/// The instruments of a meter "PixelPool", which <c>docs/metrics.md</c> lists. All but that of the durations of waits are observable: each reads the statistics anew when somebody collects,
/// some microseconds for an allocator, so no value is ever older than the question.
/// </summary>
internal sealed class PixelPoolInstruments
{
    private const string OutcomeTag = "pixelpool.outcome";
    private const string AllocatorTag = "pixelpool.allocator";
    private const string SourceTag = "pixelpool.source";
    private const string ReasonTag = "pixelpool.reason";
    private const string Bytes = "By";
    private const string Seconds = "s";

    private static readonly (string Source, Func<PixelPoolStatistics, long> Rents)[] s_sources =
    [
        ("hit", static statistics => statistics.Hits),
        ("miss", static statistics => statistics.Misses),
        ("small", static statistics => statistics.SmallRents),
        ("unpooled", static statistics => statistics.UnpooledRents),
    ];

    private static readonly (string Reason, Func<PixelPoolStatistics, long> Bytes)[] s_reasons =
    [
        ("timer", static statistics => statistics.TrimmedByTimerBytes),
        ("gen2", static statistics => statistics.TrimmedByGen2Bytes),
        ("pressure", static statistics => statistics.TrimmedByPressureBytes),
        ("request", static statistics => statistics.TrimmedByRequestBytes),
        ("out_of_memory", static statistics => statistics.TrimmedByOutOfMemoryBytes),
        ("budget", static statistics => statistics.TrimmedByBudgetBytes),
    ];

    private readonly Func<IReadOnlyDictionary<string, PixelPoolStatistics>> _collect;
    private readonly Meter _meter;
    private Histogram<double>? _waits;

    public PixelPoolInstruments(Func<IReadOnlyDictionary<string, PixelPoolStatistics>> collect, Meter meter)
    {
        _collect = collect;
        _meter = meter;
        Level("idle", static statistics => statistics.IdleBytes, Bytes, "Bytes that are idle in the pool and can be rented without the system.");
        Level("rented", static statistics => statistics.RentedBytes, Bytes, "Bytes that are rented now, whole blocks.");
        Sum("allocated", static statistics => statistics.AllocatedBytes, Bytes, "Bytes got from the system so far.");
        Sum("released", static statistics => statistics.ReleasedBytes, Bytes, "Bytes given back to the system so far.");
        Sum("evicted", ReasonTag, s_reasons, Bytes, "Idle bytes given back to the system so far, by what caused it.");

        Sum("rents", SourceTag, s_sources, "{rent}", "Rents so far, by where their memory came from.");
        Sum("leaks", static statistics => statistics.LeakedCount, "{leak}", "Rents, external charges and reservations that nobody disposed: a finalizer returned them.");
        Sum("leaked", static statistics => statistics.LeakedBytes, Bytes, "Bytes that nobody disposed: finalizers returned them.");
        Sum("second_returns", static statistics => statistics.SecondReturns, "{return}", "Leases disposed twice, and native pixels released twice.");

        // Without a budget there is nothing to compare with: no measurement, instead of a limit of 0.
        Level("budget", static statistics => statistics.BudgetBytes, Bytes, "The most bytes that may be rented, external or reserved at once.");
        Level("charged", static statistics => statistics.BudgetBytes is null ? null : statistics.ChargedBytes, Bytes, "Bytes of the budget that are rented, external or reserved now.");
        Level("external", static statistics => statistics.ExternalBytes, Bytes, "Bytes that others hold and that are charged now.");
        Level("waiting", static statistics => statistics.WaitingRents, "{request}", "Requests that wait for budget now.");
        Create(() => _meter.CreateObservableGauge(
            "pixelpool.longest_wait", () => Each<double>(static statistics => statistics.LongestWait.TotalSeconds), Seconds, "How long the request has waited that waits longest now."));
        Sum("long_waits", static statistics => statistics.LongWaits, "{wait}", "Requests that have waited for budget longer than LongWaitThreshold.");
        Sum("refusals", static statistics => statistics.BudgetRefusals, "{refusal}", "Requests that the budget refused.");
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

    private void Level(string name, Func<PixelPoolStatistics, long?> value, string unit, string description) =>
        Create(() => _meter.CreateObservableUpDownCounter($"pixelpool.{name}", () => Each<long>(value), unit, description));

    private void Sum(string name, Func<PixelPoolStatistics, long?> value, string unit, string description) =>
        Create(() => _meter.CreateObservableCounter($"pixelpool.{name}", () => Each<long>(value), unit, description));

    private void Sum(string name, string tag, (string Value, Func<PixelPoolStatistics, long> Count)[] parts, string unit, string description) =>
        Create(() => _meter.CreateObservableCounter($"pixelpool.{name}", () => Each(tag, parts), unit, description));

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
            if (!Uninterrupted.Keep(failure))
            {
                ApplicationFailure.Report(_meter.Name, "MeterListener.InstrumentPublished", failure);
            }
        }
#pragma warning restore CA1031
    }

    private IEnumerable<Measurement<T>> Each<T>(Func<PixelPoolStatistics, T?> value)
        where T : struct
    {
        foreach ((string name, PixelPoolStatistics statistics) in _collect())
        {
            if (value(statistics) is { } measured)
            {
                yield return new Measurement<T>(measured, Tag(AllocatorTag, name));
            }
        }
    }

    private IEnumerable<Measurement<long>> Each(string tag, (string Value, Func<PixelPoolStatistics, long> Count)[] parts)
    {
        foreach ((string name, PixelPoolStatistics statistics) in _collect())
        {
            foreach ((string value, Func<PixelPoolStatistics, long> count) in parts)
            {
                yield return new Measurement<long>(count(statistics), Tag(AllocatorTag, name), Tag(tag, value));
            }
        }
    }

    private static KeyValuePair<string, object?> Tag(string key, string value) => new(key, value);
}

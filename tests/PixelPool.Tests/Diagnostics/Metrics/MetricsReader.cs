using System.Diagnostics.Metrics;

namespace PixelPool.Tests.Diagnostics.Metrics;

/// <summary>Reads the instruments of meters named "PixelPool" as a collector does: all of them, when it is asked to.</summary>
internal sealed class MetricsReader : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly List<Instrument> _instruments = [];
    private readonly Dictionary<string, double> _values = [];
    private readonly List<(string Allocator, string Outcome, double Seconds)> _waits = [];

    /// <param name="scope">The factory whose meters are read; null for the meter of the process.</param>
    public MetricsReader(IMeterFactory? scope = null)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "PixelPool" && instrument.Meter.Scope == scope)
            {
                _instruments.Add(instrument);
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Record(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Record(instrument, value, tags));
        _listener.Start();
    }

    public IReadOnlyList<Instrument> Instruments => _instruments;

    /// <summary>The waits that were recorded so far.</summary>
    public IReadOnlyList<(string Allocator, string Outcome, double Seconds)> Waits => _waits;

    /// <summary>Everything that is measured now of one allocator's name: <c>pixelpool.rents hit</c> and its value.</summary>
    public IReadOnlyDictionary<string, double> Read(string allocator)
    {
        string suffix = "@" + allocator;
        return ReadAll().Where(value => value.Key.EndsWith(suffix, StringComparison.Ordinal))
            .ToDictionary(value => value.Key[..^suffix.Length], value => value.Value);
    }

    public IReadOnlyDictionary<string, double> ReadAll()
    {
        _values.Clear();
        _listener.RecordObservableInstruments();
        return new Dictionary<string, double>(_values);
    }

    public void Dispose() => _listener.Dispose();

    // Two measurements with the same tags in one collection confuse every collector: that throws here.
    private void Record(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        Assert.Equal("pixelpool.allocator", tags[0].Key);
        if (instrument is Histogram<double>)
        {
            Assert.Equal(("pixelpool.wait_time", "pixelpool.outcome"), (instrument.Name, Assert.Single(tags[1..].ToArray()).Key));
            _waits.Add(((string)tags[0].Value!, (string)tags[1].Value!, value));
            return;
        }

        string key = instrument.Name + string.Concat(tags[1..].ToArray().Select(static tag => " " + tag.Value)) + "@" + tags[0].Value;
        if (tags.Length > 1)
        {
            Assert.Equal(instrument.Name == "pixelpool.rents" ? "pixelpool.source" : "pixelpool.reason", Assert.Single(tags[1..].ToArray()).Key);
        }

        _values.Add(key, value);
    }
}

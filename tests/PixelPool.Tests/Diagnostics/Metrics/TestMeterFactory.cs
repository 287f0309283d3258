using System.Diagnostics.Metrics;

namespace PixelPool.Tests.Diagnostics.Metrics;

/// <summary>A factory as a container has one: its meters belong to it, and end with it.</summary>
/// <param name="shares">Whether it gives the same meter to all who ask for the same, as the one of Microsoft.Extensions.Diagnostics does.</param>
internal sealed class TestMeterFactory(bool shares) : IMeterFactory
{
    private readonly List<Meter> _meters = [];

    public int Meters => _meters.Count;

    public Meter Create(MeterOptions options)
    {
        if (shares && _meters.Find(meter => meter.Name == options.Name && meter.Version == options.Version) is { } known)
        {
            return known;
        }

        options.Scope = this;
        var created = new Meter(options);
        _meters.Add(created);
        return created;
    }

    public void Dispose() => _meters.ForEach(static meter => meter.Dispose());
}

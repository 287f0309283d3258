using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;

namespace Everywhere.Exercise;

/// <summary>What goes out of the process.</summary>
internal static class Telemetry
{
    public static void EventsArrive()
    {
        using var listener = new EventLines();
        using (PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { Name = "events", MaxRentedBytes = 8 << 20, MaxPooledBytes = 32 << 20 }))
        {
            using (RentScope scope = allocator.CreateScope(8 << 20))
            {
                scope.Tag = "frame";
                scope.Rent<uint>(2000, 1000);
            }

            allocator.TryRent<uint>(2000, 2000, out _);
            allocator.Trim();
        }

        Checks.Equal(
            "Allocated 8388608; Rented 8388608 Miss frame; Returned 8388608 frame; BudgetExceeded 16777216 8388608; Trimmed 8388608 Request",
            string.Join("; ", listener.Lines("events")));
    }

    public static void InstrumentsAreMeasured()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { Name = "meter" });
        using PixelBuffer<uint> image = allocator.Rent<uint>(2000, 1000);
        var measured = new Dictionary<string, long>();

        // The meter may be made on another thread, after the assembly of meters was loaded.
        using var areAllThere = new ManualResetEventSlim();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Name == "PixelPool")
                {
                    listener.EnableMeasurementEvents(instrument);
                }

                if (instrument.Name == "pixelpool.wait_time")
                {
                    areAllThere.Set();
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            foreach (KeyValuePair<string, object?> tag in tags)
            {
                if (tag is { Key: "pixelpool.allocator", Value: "meter" })
                {
                    measured[instrument.Name] = measured.GetValueOrDefault(instrument.Name) + value;
                }
            }
        });
        listener.Start();
        Checks.Equal(true, areAllThere.Wait(TimeSpan.FromSeconds(30)));
        listener.RecordObservableInstruments();
        Checks.Equal(8 << 20, measured["pixelpool.rented"]);
        Checks.Equal(1, measured["pixelpool.rents"]);
    }

    public static void FactoriesMakeMeters()
    {
        using ServiceProvider provider = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var options = new PixelAllocatorOptions { MeterFactory = provider.GetRequiredService<IMeterFactory>() };
        bool isMade = false;
        using var listener = new MeterListener { InstrumentPublished = (instrument, _) => isMade |= instrument.Meter is { Name: "PixelPool", Scope: not null } };
        listener.Start();
        using PixelAllocator allocator = PixelAllocator.Create(options);
        Checks.Equal((true, options.MeterFactory), (isMade, provider.GetRequiredService<IMeterFactory>()));
    }
}

using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>A container measures its own allocators, by name, and no others.</summary>
public class MeterTests
{
    [Fact]
    public void The_meter_of_a_container_tells_what_its_allocators_hold()
    {
        using ServiceProvider one = Build();
        using ServiceProvider other = Build();
        using PixelBuffer<byte> image = one.GetRequiredService<PixelAllocator>().Rent<byte>(1024, 2048);
        using PixelBuffer<byte> upload = one.GetRequiredKeyedService<PixelAllocator>("uploads").Rent<byte>(1024, 3072);
        using PixelBuffer<byte> elsewhere = other.GetRequiredService<PixelAllocator>().Rent<byte>(1024, 4096);
        Assert.Equal([("PixelAllocator", 2L << 20), ("uploads", 3L << 20)], Rented(one).OrderBy(static rented => rented.Bytes));
        Assert.Equal([("PixelAllocator", 4L << 20)], Rented(other));
    }

    private static ServiceProvider Build()
    {
        var services = new ServiceCollection();
        services.AddMetrics();
        services.ConfigureAll<PixelAllocatorOptions>(static options => options.BlockBytes = 1 << 20);
        services.AddPixelPool();
        services.AddPixelPool("uploads");
        return services.BuildServiceProvider();
    }

    private static List<(string Allocator, long Bytes)> Rented(IServiceProvider provider)
    {
        var rented = new List<(string, long)>();
        using var listener = new MeterListener();
        IMeterFactory factory = provider.GetRequiredService<IMeterFactory>();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (ReferenceEquals(instrument.Meter.Scope, factory) && instrument is { Name: "pixelpool.rented", Meter.Name: "PixelPool" })
            {
                self.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((_, bytes, tags, _) => rented.Add(((string)tags[0].Value!, bytes)));
        listener.Start();
        listener.RecordObservableInstruments();
        return rented;
    }
}

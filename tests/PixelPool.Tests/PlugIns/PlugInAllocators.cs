using System.Diagnostics.Tracing;
using PixelPool.Diagnostics;
using PixelPool.Tests.Diagnostics.Events;
#if !LIBRARY_NETSTANDARD
using PixelPool.Tests.Diagnostics.Metrics;
#endif
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.PlugIns;

/// <summary>A plug-in with allocators, listeners and recorders of its own. What a method returns the host keeps.</summary>
public static class PlugInAllocators
{
    /// <summary>Everything that an application can supply is the plug-in's own.</summary>
    public static object? Supplied_and_disposed(PixelAllocator host)
    {
        var time = new ManualTime();
#if !LIBRARY_NETSTANDARD
        using var factory = new TestMeterFactory(shares: false);
#endif
        using PixelAllocator own = PixelAllocator.Create(new PixelAllocatorOptions
        {
            Name = "plug-in",
            ArrayPool = new RecyclingArrayPool(),
            TimeProvider = time,
            MemoryPressure = new ManualMemoryPressure(),
            TrimPolicy = TrimPolicy.Halving(TimeSpan.FromSeconds(1), 0.5),
            LeakTracking = LeakTracking.Full,
            MaxRentedBytes = 64 << 20,
#if !LIBRARY_NETSTANDARD
            MeterFactory = factory,
#endif
        });
        own.Leaked += static (_, _) => throw new PlugInException();
        UseAll(own);
        time.Advance(TimeSpan.FromSeconds(3));
        return null;
    }

    public static object? Disposed(PixelAllocator host)
    {
        using PixelAllocator own = Create();
        UseAll(own);
        return null;
    }

    public static object? Dropped(PixelAllocator host)
    {
        UseAll(Create());
        return null;
    }

    /// <summary>So often that the thread, which lives on, keeps memory for the next rents. All of it is dropped.</summary>
    public static unsafe object? Renting_often(PixelAllocator host)
    {
        PixelAllocator own = Create();
        var nodes = new FixedBlockAllocator<PlugInPixel>();
        var beside = new FixedBlockAllocator<PlugInPixel>(own);
        for (int i = 0; i < 300; i++)
        {
            own.Lease<PlugInPixel>(1000, 1000).Dispose();
            own.Lease<PlugInPixel>(16, 16).Dispose();
            host.Lease<PlugInPixel>(1000, 1000).Dispose();
            nodes.Free(nodes.Allocate());
            beside.Free(beside.Allocate());
        }

        return null;
    }

    /// <summary>Its timer runs: something is idle.</summary>
    public static object? Dropped_with_idle_blocks(PixelAllocator host)
    {
        PixelAllocator own = Create();
        own.Rent<PlugInPixel>(3000, 2000).Dispose();
        return null;
    }

    /// <summary>What is forgotten together with its allocator, and waited for.</summary>
    public static object? Dropped_while_something_waits(PixelAllocator host)
    {
        PixelAllocator own = Create();
        PixelBuffer<PlugInPixel> forgotten = own.Rent<PlugInPixel>(3000, 5000);
        if (own.RentAsync<PlugInPixel>(3000, 5000).IsCompleted)
        {
            throw new InvalidOperationException("Nothing had to wait.");
        }

        // A collection before would have given its memory back.
        GC.KeepAlive(forgotten);
        return null;
    }

    /// <summary>The host goes on with an allocator that was made when the plug-in needed one first.</summary>
    public static object? Handed_to_the_host(PixelAllocator host) => PlugInState.Run(static () => Use(PixelAllocator.Create()));

    /// <summary>As <see cref="Handed_to_the_host"/>, with the allocator of the process.</summary>
    public static object? Shared(PixelAllocator host) => PlugInState.Run(static () => Use(PixelAllocator.Shared));

    /// <summary>Whatever can listen.</summary>
    public static object? Listening(PixelAllocator host)
    {
        using EventListener listener = new EventRecorder("host").Enable();
#if !LIBRARY_NETSTANDARD
        using var reader = new MetricsReader();
        reader.Read("host");
#endif
        using MemoryRecorder recorder = MemoryRecorder.Start(host);
        UseAll(host);
        return recorder.Stop();
    }

    private static PixelAllocator Use(PixelAllocator allocator)
    {
        allocator.Rent<byte>(3000, 2000).Dispose();
        return allocator;
    }

    private static PixelAllocator Create()
    {
        PixelAllocator own = PixelAllocator.Create(new PixelAllocatorOptions
        {
            Name = "plug-in",
            LeakTracking = LeakTracking.Full,
            MaxRentedBytes = 64 << 20,
        });
        own.Leaked += static (_, _) => throw new PlugInException();
        return own;
    }

    private static void UseAll(PixelAllocator allocator)
    {
        PlugInRents.Returns(allocator);
        PlugInRents.UsesScopes(allocator);
        PlugInRents.Forgets(allocator);
        PlugInRents.Tracks(allocator);
        PlugInRents.Waits(allocator);
    }
}

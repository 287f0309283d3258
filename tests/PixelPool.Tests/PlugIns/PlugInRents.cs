using System.Buffers;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.PlugIns;

/// <summary>What a plug-in does with the allocator of its host. Each method gives everything back, and what it returns the host keeps.</summary>
public static class PlugInRents
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    public static object? Returns(PixelAllocator host)
    {
        using (PixelBuffer<PlugInPixel> image = host.Rent<PlugInPixel>(300, 200, AllocationOptions.Contiguous))
        using (PixelBuffer<PlugInPixel> view = image.View(1, 1, 10, 10))
        using (PinnedPixels pin = image.Pin())
        using (PixelLease<PlugInPixel> lease = host.Lease<PlugInPixel>(10, 10))
        using (IMemoryOwner<PlugInPixel> owner = host.Allocate<PlugInPixel>(100))
        using (IMemoryOwner<byte> pooled = host.AsMemoryPool().Rent(100))
        using (ExternalCharge charge = host.ChargeExternal(100))
        {
            image.ProcessPixelRowsInParallel(new PlugInPixel(1, 2, 3), static (rows, value) =>
            {
                foreach (Span<PlugInPixel> row in rows)
                {
                    row.Fill(value);
                }
            });
            view.Fill(default);
            lease.ProcessPixelRows(static rows => rows.GetRowSpan(0).Clear());
            owner.Memory.Span.Clear();
            return host.GetOutstandingRents();
        }
    }

    public static object? UsesScopes(PixelAllocator host)
    {
        using (var scope = new RentScope(host))
        using (RentScope limited = host.CreateScope(1 << 20))
        using (RentScope reserved = host.ReserveScope(1 << 20))
        {
            scope.Rent<PlugInPixel>(10, 10).Clear();
            limited.Rent<PlugInPixel>(10, 10).Clear();
            reserved.Allocate<PlugInPixel>(100).Memory.Span.Clear();
            reserved.ChargeExternal(100);
            return host.GetOutstandingRents();
        }
    }

    public static object? Forgets(PixelAllocator host)
    {
        var leaked = new List<RentRecord>();
        using var told = new CountdownEvent(4);
        host.Leaked += OnLeaked;
        Forget(host);
        Collector.CollectAll();
        bool wasTold = told.Wait(s_timeLimit);
        host.Leaked -= OnLeaked;
        return wasTold ? leaked : throw new TimeoutException();

        void OnLeaked(object? sender, LeakedEventArgs leak)
        {
            leaked.Add(leak.Rent);
            told.Signal();
            throw new PlugInException();
        }
    }

    public static object? Tracks(PixelAllocator host)
    {
        using LeakTracker tracker = host.TrackLeaks();
        using PixelBuffer<PlugInPixel> held = host.Rent<PlugInPixel>(300, 200);
        Forget(host);
        try
        {
            tracker.AssertNone();
        }
        catch (PixelLeakException found)
        {
            // The exception itself was thrown through methods of the plug-in: the runtime notes them in it.
            return (RentRecord[])[.. found.Leaked, .. found.Held];
        }

        throw new InvalidOperationException("Nothing was found.");
    }

    public static object? Waits(PixelAllocator host) => PlugInState.Run<object?>(() =>
    {
        using RentScope limited = host.CreateScope(1 << 20);
        PixelBuffer<PlugInPixel> first = limited.Rent<PlugInPixel>(1, 300_000);
        Task<PixelBuffer<PlugInPixel>> second = AwaitAsync(limited);
        using var cancellation = new CancellationTokenSource();
        Task<RentScope> third = limited.ReserveScopeAsync(1 << 20, cancellation.Token).AsTask();
        bool refused = !limited.TryRent<PlugInPixel>(1, 300_000, out _);
        cancellation.Cancel();
        bool cancelled = SpinWait.SpinUntil(() => third.IsCanceled, s_timeLimit);
        first.Dispose();
        second.GetAwaiter().GetResult().Dispose();
        return refused && cancelled ? null : throw new InvalidOperationException("Nothing had to wait.");
    });

    /// <summary>A method that is made while the program runs: an expression that was compiled, or a regular expression.</summary>
    public static object? Generates(PixelAllocator host)
    {
        var method = new DynamicMethod("Generated", typeof(object), [typeof(PixelAllocator)], typeof(PlugInRents).Module);
        ILGenerator body = method.GetILGenerator();
        body.Emit(OpCodes.Ldarg_0);
        body.Emit(OpCodes.Call, ((Func<PixelAllocator, object?>)Returns).Method);
        body.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<PixelAllocator, object?>>()(host);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator host)
    {
        host.Rent<PlugInPixel>(300, 200).Clear();
        host.Lease<PlugInPixel>(10, 10);
        host.Allocate<PlugInPixel>(100).Memory.Span.Clear();
        host.ChargeExternal(100);
    }

    private static async Task<PixelBuffer<PlugInPixel>> AwaitAsync(RentScope scope)
    {
        PixelBuffer<PlugInPixel> image = await scope.RentAsync<PlugInPixel>(1, 300_000);
        await Task.Yield();
        return image;
    }
}

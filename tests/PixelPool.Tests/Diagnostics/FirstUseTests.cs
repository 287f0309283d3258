using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics;

/// <summary>What listens may use PixelPool as soon as it hears of it, while the first allocator of the process is made. In processes of their own.</summary>
[Trait("Category", "Long")]
public class FirstUseTests
{
    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

#if !LIBRARY_NETSTANDARD // that build has no metrics
    [Fact]
    public void A_listener_of_metrics_uses_the_shared_allocator() => ChildProcess.Run(ListenToMetrics);
#endif

    [Fact]
    public void A_listener_of_events_rents() => ChildProcess.Run(ListenToEvents);

#if !LIBRARY_NETSTANDARD
    private static void ListenToMetrics()
    {
        var names = new List<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Name == "PixelPool")
            {
                names.Add(PixelAllocator.Shared.Name);
                names.Add(Task.Run(static () => PixelAllocator.Shared.Name).WaitAsync(s_limit).GetAwaiter().GetResult());
            }
        };
        listener.Start();
        PixelAllocator.Shared.Rent<byte>(10, 10).Dispose();
        Assert.NotEmpty(names);
        Assert.All(names, static name => Assert.Equal("Shared", name));
    }
#endif

    private static void ListenToEvents()
    {
        using var listener = new RentingListener();
        using PixelAllocator allocator = PixelAllocator.Create();
        Assert.Equal("rented", listener.Result);
    }

    private sealed class RentingListener : EventListener
    {
        public string? Result { get; private set; }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name != "PixelPool")
            {
                return;
            }

            try
            {
                using PixelAllocator allocator = PixelAllocator.Create();
                for (int i = 0; i < 100; i++)
                {
                    allocator.Rent<byte>(10, 10).Dispose();
                    allocator.Rent<byte>(4096, 4096).Dispose();
                }

                allocator.Trim();
                Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
                Result = "rented";
            }
            catch (Exception e)
            {
                Result = e.ToString();
            }
        }
    }
}

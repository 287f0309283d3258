using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Stress;

namespace PixelPool.Tests.Pooling;

/// <summary>Statistics that are read beside rents and returns are those of one moment: never less than nothing, never more than the budget.</summary>
public class ConsistentStatisticsTests
{
    private const int Block = TestSystem.BlockBytes;
    private const double DefaultSeconds = 2;

    [Fact]
    [Trait("Category", "Long")]
    public void Rented_bytes_and_the_peak_are_never_negative_and_never_above_the_budget()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options => options.MaxRentedBytes = Block);

        // One image at a time, rented by one thread and returned by the other: they count in different stripes.
        PixelBuffer<byte>? handedOver = null;
        bool over = false;
        var rented = (Least: long.MaxValue, Most: long.MinValue);
        long readings = 0;
        TimeSpan duration = StressTime.Of(DefaultSeconds);
        long started = TimeProvider.System.GetTimestamp();
        Simultaneously.Run(3, duration + TimeSpan.FromMinutes(2), thread =>
        {
            var spin = default(SpinWait);
            switch (thread)
            {
                case 0:
                    while (TimeProvider.System.GetElapsedTime(started) < duration)
                    {
                        if (allocator.TryRent(Block, 1, out PixelBuffer<byte>? image))
                        {
                            Volatile.Write(ref handedOver, image);
                        }
                        else
                        {
                            spin.SpinOnce(sleep1Threshold: -1);
                        }
                    }

                    Volatile.Write(ref over, true);
                    break;

                case 1:
                    while (!Volatile.Read(ref over) || Volatile.Read(ref handedOver) is not null)
                    {
                        if (Interlocked.Exchange(ref handedOver, null) is { } image)
                        {
                            image.Dispose();
                        }
                        else
                        {
                            spin.SpinOnce(sleep1Threshold: -1);
                        }
                    }

                    break;

                default:
                    while (!Volatile.Read(ref over))
                    {
                        PixelPoolStatistics statistics = allocator.GetStatistics();
                        rented = (Math.Min(rented.Least, statistics.RentedBytes), Math.Max(rented.Most, statistics.RentedBytes));
                        Assert.InRange(statistics.PeakHeldBytes, 0, Block);
                        readings++;
                    }

                    break;
            }
        });
        TestContext.Current.TestOutputHelper?.WriteLine($"{readings} readings: {rented}");
        Assert.InRange(rented.Least, 0, Block);
        Assert.InRange(rented.Most, 0, Block);
    }

    [Fact]
    public void Peak_of_small_images_that_were_held_together_is_seen_although_nobody_asked()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options => options.ArrayPool = new RecyclingArrayPool());
        PixelLease<byte>[] leases = [.. Enumerable.Range(0, 1000).Select(_ => allocator.Lease<byte>(1000, 4))];
        Array.ForEach(leases, static lease => lease.Dispose());
        Assert.Equal((0L, 4_000_000L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().PeakHeldBytes));
    }
}

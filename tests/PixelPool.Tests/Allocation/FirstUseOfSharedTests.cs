using System.Globalization;
#if !LIBRARY_NETSTANDARD // that build has no metrics
using PixelPool.Tests.Diagnostics.Metrics;
#endif
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>Several threads that use the shared allocator for the first time in the process, all at once. In processes of their own.</summary>
[Trait("Category", "Long")]
public class FirstUseOfSharedTests
{
    private const int Rounds = 5;

    /// <summary>Each of them may have made one; what stays is one, its metrics, and nothing of the others.</summary>
    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(16)]
    public void There_is_one_and_it_counts_every_rent(int threads) => ChildProcess.Run(UseTogether, [threads.ToString(CultureInfo.InvariantCulture)]);

    private static void UseTogether(string[] arguments)
    {
        int threads = int.Parse(arguments[0], CultureInfo.InvariantCulture);
        var used = new PixelAllocator[threads];
#if !LIBRARY_NETSTANDARD
        using var reader = new MetricsReader();
#endif
        Simultaneously.Run(threads, thread =>
        {
            used[thread] = PixelAllocator.Shared;
            for (int round = 0; round < Rounds; round++)
            {
                Use(10, 10, thread);
                Use(1500, 1000, thread);
            }
        });
        PixelAllocator shared = PixelAllocator.Shared;
        Assert.All(used, allocator => Assert.Same(shared, allocator));

        // Those of the others end now. From here on nothing is idle, so nothing changes by itself.
        Collector.CollectAll();
        shared.Trim();
        PixelPoolStatistics statistics = shared.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((2L * threads * Rounds, (long)threads * Rounds), (statistics.Rents, statistics.SmallRents));
        Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.IdleBytes, statistics.LeakedCount));
        Assert.Empty(shared.GetOutstandingRents());
#if !LIBRARY_NETSTANDARD

        // What its timer gave back at the same moment is counted a little later.
        SpinWait.SpinUntil(() => !ExpectedMetrics.Of(shared.GetStatistics()).Except(reader.Read("Shared")).Any(), TimeSpan.FromMinutes(1));
        Assert.Equal(reader.Instruments.Select(static instrument => instrument.Name).Distinct(), reader.Instruments.Select(static instrument => instrument.Name));
        Assert.Equal(ExpectedMetrics.Of(shared.GetStatistics()), reader.Read("Shared"));
#endif
    }

    private static void Use(int width, int height, int value)
    {
        using PixelBuffer<int> image = PixelAllocator.Shared.Rent<int>(width, height);
        image.Fill(value);
        Thread.Yield();
        Assert.Equal((value, value), (image[0, 0], image[width - 1, height - 1]));
    }
}

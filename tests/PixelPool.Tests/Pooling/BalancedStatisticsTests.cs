using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Stress;

namespace PixelPool.Tests.Pooling;

/// <summary>Whatever moves idle memory from place to place, nobody who reads the statistics sees any of it missing, or rented.</summary>
[Trait("Category", "Long")]
public sealed class BalancedStatisticsTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Threads = 4;
    private const double DefaultSeconds = 1;

    // Arrays or pieces, in several sizes; one block, several, and blocks side by side; a row that is longer than a block, which is not pooled.
    private static readonly (int Bytes, int Rows, AllocationOptions Options)[] s_images =
    [
        (50, 1, AllocationOptions.None),
        (700, 1, AllocationOptions.None),
        (3_000, 1, AllocationOptions.None),
        (3_000, 1, AllocationOptions.Contiguous),
        (Block, 1, AllocationOptions.None),
        (Block, 3, AllocationOptions.None),
        (Block, 4, AllocationOptions.Contiguous),
        (Block + 1, 1, AllocationOptions.None),
    ];

    private readonly TestSystem _system = new(divisible: true);

    public static TheoryData<SmallBufferStrategy, bool> Strategies => new MatrixTheoryData<SmallBufferStrategy, bool>([SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab], [false, true]);

    public void Dispose() => _system.Dispose();

    /// <summary>Threads come and go; images pass from one to the other; all is trimmed in between, in every way.</summary>
    [Theory]
    [MemberData(nameof(Strategies))]
    public void Rented_and_idle_are_what_was_allocated_beside_all_that_happens(SmallBufferStrategy strategy, bool hasBudget)
    {
        int seed = StressTime.Seed();
        using PixelAllocator allocator = Create(strategy, hasBudget);
        PixelBuffer<byte>?[] passed = new PixelBuffer<byte>?[8];
        TimeSpan duration = StressTime.Of(DefaultSeconds);
        long started = TimeProvider.System.GetTimestamp();
        bool over = false;
        for (int round = 0; !over; round++)
        {
            int first = seed + (round * Threads);
            Simultaneously.Run(Threads, thread =>
            {
                var random = new Random(first + thread);
                for (int i = 0; i < 300; i++)
                {
                    if (thread == 0)
                    {
                        StatisticsAssert.Balanced(allocator.GetStatistics());
                    }
                    else
                    {
                        Interlocked.Exchange(ref passed[random.Next(passed.Length)], random.Next(4) == 0 ? null : TryRent(allocator, random))?.Dispose();
                    }

                    if (random.Next(50) == 0)
                    {
                        allocator.TrimTo(random.Next(2) * 4 * Block);
                    }
                }
            });
            GC.Collect(round % 3);
            over = TimeProvider.System.GetElapsedTime(started) >= duration;
        }

        Array.ForEach(passed, static image => image?.Dispose());
        Collector.CollectAll();
        allocator.Trim();
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, _system.Source.LiveBytes));
    }

    /// <summary>What ended threads kept goes back while finalizers run, and while others trim: nobody has rented it meanwhile.</summary>
    [Theory]
    [MemberData(nameof(Strategies))]
    public void What_nobody_rents_is_never_seen_rented(SmallBufferStrategy strategy, bool isTrimmed)
    {
        using PixelAllocator allocator = Create(strategy, hasBudget: false);
        TimeSpan duration = StressTime.Of(DefaultSeconds);
        long started = TimeProvider.System.GetTimestamp();
        do
        {
            Simultaneously.Run(Threads, _ => RentAndReturn(allocator));
            int others = 2;
            Simultaneously.Run(3, thread =>
            {
                if (thread != 0)
                {
                    Collect(allocator, trims: thread == 1 && isTrimmed);
                    Interlocked.Decrement(ref others);
                    return;
                }

                for (int i = 0; i < 20 || Volatile.Read(ref others) != 0; i++)
                {
                    PixelPoolStatistics statistics = allocator.GetStatistics();
                    Assert.Equal(0, statistics.RentedBytes);
                    StatisticsAssert.Balanced(statistics);
                }
            });
        }
        while (TimeProvider.System.GetElapsedTime(started) < duration);
    }

    /// <summary>Each image is a new peak, and is not seen before that is.</summary>
    [Fact]
    public void No_more_is_held_at_any_moment_than_the_peak()
    {
        TimeSpan duration = StressTime.Of(DefaultSeconds);
        long started = TimeProvider.System.GetTimestamp();
        var images = new PixelBuffer<byte>[400];
        do
        {
            using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxPooledBytes = 0);
            bool rented = false;
            Simultaneously.Run(2, thread =>
            {
                if (thread == 0)
                {
                    for (int i = 0; i < images.Length; i++)
                    {
                        images[i] = allocator.Rent<byte>(Block + 1, 1);
                    }

                    Volatile.Write(ref rented, true);
                    return;
                }

                while (!Volatile.Read(ref rented))
                {
                    StatisticsAssert.Balanced(allocator.GetStatistics());
                }
            });
            Array.ForEach(images, static image => image.Dispose());
        }
        while (TimeProvider.System.GetElapsedTime(started) < duration);
    }

    private static void Collect(PixelAllocator allocator, bool trims)
    {
        if (trims)
        {
            allocator.Trim();
        }
        else
        {
            // Finalizers are not waited for.
            GC.Collect();
        }
    }

    private static void RentAndReturn(PixelAllocator allocator)
    {
        // More than it takes to get a cache.
        for (int i = 0; i < 100; i++)
        {
            foreach ((int bytes, int rows, AllocationOptions options) in s_images)
            {
                using PixelLease<byte> one = allocator.Lease<byte>(bytes, rows, options);
                using PixelLease<byte> other = allocator.Lease<byte>(bytes, rows, options);
            }
        }
    }

    private static PixelBuffer<byte>? TryRent(PixelAllocator allocator, Random random)
    {
        (int bytes, int rows, AllocationOptions options) = s_images[random.Next(s_images.Length)];
        return allocator.TryRent(bytes, rows, out PixelBuffer<byte>? image, options) ? image : null;
    }

    private PixelAllocator Create(SmallBufferStrategy strategy, bool hasBudget) => _system.CreateAllocator(configure: options =>
    {
        options.SmallBuffers = strategy;
        options.LeakTracking = LeakTracking.Off;
        options.MaxRentedBytes = hasBudget ? 32 * Block : options.MaxRentedBytes;
    });
}

using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse;

/// <summary>
/// An allocator with a budget, small blocks and a fake system, that knows what must be true when all is over. The next rent gets the memory that came back last, so what comes back too
/// early, or twice, is noticed.
/// </summary>
internal sealed class MisusedAllocator : IDisposable
{
    public const int CapacityInBlocks = 24;

    // Of a fake system without much room: many are made.
    private const int SystemBytes = 8 << 20;

    public MisusedAllocator(SmallBufferStrategy small = SmallBufferStrategy.ArrayPool, Action<PixelAllocatorOptions>? configure = null)
        : this(new TestSystem(new FakeBlockSource(divisible: true, divisibleBytes: SystemBytes)), small, configure)
    {
    }

    /// <param name="system">Where it lives, perhaps after others.</param>
    public MisusedAllocator(TestSystem system, SmallBufferStrategy small, Action<PixelAllocatorOptions>? configure = null)
    {
        System = system;
        Allocator = System.CreateAllocator(CapacityInBlocks, options =>
        {
            options.SmallBuffers = small;
            options.ArrayPool = Arrays;
            options.MaxRentedBytes = 4L * CapacityInBlocks * TestSystem.BlockBytes;
            options.LeakTracking = LeakTracking.Off;
            configure?.Invoke(options);
        });
    }

    public TestSystem System { get; }

    public RecyclingArrayPool Arrays { get; } = new();

    public PixelAllocator Allocator { get; }

    /// <summary>All but how often something was returned twice, which is counted.</summary>
    public PixelPoolStatistics Statistics => Allocator.GetStatistics() with { SecondReturns = 0 };

    /// <summary>Nothing is rented, charged, forgotten or lost, and no memory is idle twice.</summary>
    public void AssertQuiet()
    {
        AssertNothingHeld();
        AssertIdleMemoryIsDistinct();
    }

    /// <summary>As <see cref="AssertQuiet"/>, for an allocator that may be disposed.</summary>
    public void AssertNothingHeld()
    {
        PixelPoolStatistics statistics = Statistics;
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((0, 0, 0, 0), (statistics.RentedBytes, statistics.ChargedBytes, statistics.ExternalBytes, statistics.LeakedCount));
        Assert.Equal(statistics.IdleBytes, System.Source.LiveBytes);
        Assert.Equal(0, Arrays.RentedCount);
        Assert.Empty(Allocator.GetOutstandingRents());
        System.Source.AssertNoMisuse();
    }

    public void Dispose()
    {
        Allocator.Dispose();
        System.Dispose();
    }

    private void AssertIdleMemoryIsDistinct()
    {
        using var scope = new RentScope(Allocator);
        var addresses = new HashSet<nint>();
        for (int i = 0; i < CapacityInBlocks; i++)
        {
            Assert.True(addresses.Add(scope.Lease<byte>(TestSystem.BlockBytes, 1).DangerousGetAddress()), "A block is rented twice.");
        }

        var pieces = new HashSet<nint>();
        for (int i = 0; i < 64; i++)
        {
            using PinnedPixels pin = scope.Rent<byte>(1000, 1).Pin();
            Assert.True(pieces.Add(pin.Address), "A small piece is rented twice.");
        }
    }
}

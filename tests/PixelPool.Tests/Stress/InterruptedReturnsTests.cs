using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Stress;

/// <summary>
/// Threads that are interrupted at any moment while they rent and return: a rent may end with the interrupt, a return never does, and nothing is lost.
/// </summary>
[Trait("Category", "Long")]
public class InterruptedReturnsTests
{
    private const int Threads = 4;
    private const double DefaultSeconds = 0.7;

    /// <summary>Every tier, with and without a budget; and guarded rents, which look at stacks.</summary>
    public static TheoryData<MemoryTier, bool, int> Cases
    {
        get
        {
            var data = new TheoryData<MemoryTier, bool, int> { { MemoryTier.Array, false, 1 }, { MemoryTier.SeveralBlocks, true, 2 } };
            foreach (MemoryTier tier in Enum.GetValues<MemoryTier>())
            {
                data.Add(tier, false, 0);
                data.Add(tier, true, 0);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Nothing_is_lost(MemoryTier tier, bool hasBudget, int guarded)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.MaxRentedBytes = hasBudget ? 1L << 30 : null;
        options.TrimPolicy = TrimPolicy.Demand;
        options.GuardedRentSampling = guarded;
        options.BlockSource = guarded != 0 ? null : options.BlockSource;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using RentScope tenant = allocator.CreateScope(1L << 29);
        int refusedReturns = 0;
        long rents = 0;
        long interrupts = InterruptedThreads.Run(Threads, StressTime.Of(DefaultSeconds), thread =>
        {
            PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
            PixelBuffer<uint>? other = null;
            try
            {
                (int width, int height) = TierSizes.Size<uint>(tier);
                other = tenant.Rent<uint>(width, height, TierSizes.Asks(tier));
            }
            finally
            {
                try
                {
                    // An interrupt may end what is asserted: that must not be what loses the images.
                    StatisticsAssert.Balanced(allocator.GetStatistics());
                }
                finally
                {
                    Return(image, ref refusedReturns);
                    Return(other, ref refusedReturns);
                    Interlocked.Increment(ref rents);
                }
            }
        });
        TestContext.Current.TestOutputHelper?.WriteLine($"{rents} rents, {interrupts} interrupts");
        Assert.Equal(0, refusedReturns);
        Assert.Equal((0L, 0L), (allocator.GetStatistics().ChargedBytes, tenant.ChargedBytes));
        TierSizes.AssertQuiet(allocator);
        Assert.Empty(allocator.GetOutstandingRents());
        allocator.Trim();
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
    }

    [Fact]
    public void Bare_blocks_are_returned_too()
    {
        using var system = new TestSystem();
        using UniformUnmanagedMemoryPool pool = system.CreatePool();
        int refusedReturns = 0;
        InterruptedThreads.Run(Threads, StressTime.Of(DefaultSeconds), _ =>
        {
            nint[] blocks = new nint[3];
            if (pool.TryRent(blocks))
            {
                try
                {
                    pool.Return(blocks);
                }
                catch (ThreadInterruptedException)
                {
                    Interlocked.Increment(ref refusedReturns);
                }
            }
        });
        Assert.Equal(0, refusedReturns);
        Assert.Equal(0, pool.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(pool.GetStatistics());
    }

    private static void Return(PixelBuffer<uint>? image, ref int refusedReturns)
    {
        try
        {
            image?.Dispose();
        }
        catch (ThreadInterruptedException)
        {
            Interlocked.Increment(ref refusedReturns);
        }
    }
}

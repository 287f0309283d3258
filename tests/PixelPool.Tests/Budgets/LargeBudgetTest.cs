using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>What tests of the order in a line have: an allocator with a budget of 128 blocks, of which two are small. At the end nothing is charged, and nobody waits.</summary>
public abstract class LargeBudgetTest : IDisposable
{
    protected const int Block = TestSystem.BlockBytes;
    protected const int Blocks = 128;

    /// <summary>Only a failure reaches it.</summary>
    protected static TimeSpan Limit { get; } = TimeSpan.FromSeconds(20);

    protected LargeBudgetTest() => Allocator = PoolSystem.CreateAllocator(capacityInBlocks: 2 * Blocks, static options =>
    {
        options.MaxRentedBytes = Blocks * Block;
        options.RentTimeout = Timeout.InfiniteTimeSpan;
    });

    protected static CancellationToken Token => TestContext.Current.CancellationToken;

    protected PixelAllocator Allocator { get; }

    private protected TestSystem PoolSystem { get; } = new();

    public void Dispose()
    {
        PixelPoolStatistics statistics = Allocator.GetStatistics();

        // That ends whoever still waits where a test failed.
        Allocator.Dispose();
        PoolSystem.Dispose();
        GC.SuppressFinalize(this);
        Assert.Equal((0L, 0L), (statistics.ChargedBytes, statistics.WaitingRents));
    }
}

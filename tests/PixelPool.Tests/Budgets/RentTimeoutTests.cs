using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

public sealed class RentTimeoutTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    /// <summary>The ways to rent that block their thread.</summary>
    public static TheoryData<string> Ways => ["Rent", "Lease", "Allocate", "Reserve", "Scope"];

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_return_in_time_serves_who_waits(string way)
    {
        using PixelAllocator allocator = Create(Timeout.InfiniteTimeSpan);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                Rent(allocator, way).Dispose();
                return;
            }

            SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_limit);
            Assert.Equal(1, allocator.GetStatistics().WaitingRents);
            held.Dispose();
        });
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 1L, 0L, 0L), (statistics.ChargedBytes, statistics.Waits, statistics.WaitingRents, statistics.BudgetRefusals));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void When_the_time_is_over_the_request_is_refused_and_leaves_nothing_behind(string way)
    {
        // New timers of the test's clock are over at once.
        using PixelAllocator allocator = Create(TimeSpan.FromSeconds(30));
        using (allocator.Rent<byte>(Block, 2))
        {
            Assert.Throws<PixelBudgetExceededException>(() => Rent(allocator, way));
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((2L * Block, 1L, 0L, 1L), (statistics.ChargedBytes, statistics.Waits, statistics.WaitingRents, statistics.BudgetRefusals));
            Assert.False(allocator.TryRent<byte>(Block, 1, out _));
            Assert.Equal(1, allocator.GetStatistics().Waits);
        }

        Rent(allocator, way).Dispose();
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Disposing_the_allocator_frees_the_thread_that_waits(string way)
    {
        PixelAllocator allocator = Create(Timeout.InfiniteTimeSpan);
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                Assert.Throws<ObjectDisposedException>(() => Rent(allocator, way));
                return;
            }

            SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_limit);
            allocator.Dispose();
        });
        Assert.Equal(2L * Block, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void An_interrupted_thread_leaves_the_line()
    {
        using PixelAllocator allocator = Create(Timeout.InfiniteTimeSpan);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        Thread? waiting = null;
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                Volatile.Write(ref waiting, Thread.CurrentThread);
                Assert.Throws<ThreadInterruptedException>(() => allocator.Rent<byte>(Block, 2));
                return;
            }

            SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_limit);
            Volatile.Read(ref waiting)!.Interrupt();
        });
        held.Dispose();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().WaitingRents));
        allocator.Rent<byte>(Block, 2).Dispose();
    }

    [Fact]
    public void What_can_never_fit_is_refused_without_waiting()
    {
        using PixelAllocator allocator = Create(Timeout.InfiniteTimeSpan);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(Block, 3));
        Assert.Equal((0L, 1L), (allocator.GetStatistics().Waits, allocator.GetStatistics().BudgetRefusals));
    }

    private static IDisposable Rent(PixelAllocator allocator, string way)
    {
        switch (way)
        {
            case "Rent": return allocator.Rent<byte>(Block, 1);
            case "Lease": return allocator.Lease<byte>(Block, 1);
            case "Allocate": return allocator.Allocate<byte>(Block);
            case "Reserve": return allocator.ReserveScope(Block);
            default:
                RentScope scope = allocator.CreateScope(Block);
                try
                {
                    scope.Rent<byte>(Block, 1);
                    return scope;
                }
                catch
                {
                    scope.Dispose();
                    throw;
                }
        }
    }

    private PixelAllocator Create(TimeSpan timeout) => _system.CreateAllocator(configure: options =>
    {
        options.MaxRentedBytes = 2 * Block;
        options.RentTimeout = timeout;
    });
}

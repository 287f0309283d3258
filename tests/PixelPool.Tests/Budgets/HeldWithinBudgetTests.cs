using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Everything that an allocator with a budget holds keeps to it: rented, idle and external together.</summary>
public sealed class HeldWithinBudgetTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Budget = 8;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void External_memory_gets_the_place_of_what_is_idle()
    {
        using PixelAllocator allocator = CreateWithIdle(blocks: Budget);
        using ExternalCharge charge = allocator.ChargeExternal((2 * Block) + 1);
        AssertHeld(allocator, idle: Budget - 3, trimmed: 3);

        // What fits beside it stays idle.
        using ExternalCharge small = allocator.ChargeExternal(Block - 1);
        AssertHeld(allocator, idle: Budget - 3, trimmed: 3);
        allocator.Rent<byte>(Block, Budget - 3).Dispose();
        Assert.Equal(1, allocator.GetStatistics().Hits);
    }

    [Fact]
    public void A_reservation_alone_trims_nothing()
    {
        using PixelAllocator allocator = CreateWithIdle(blocks: Budget);
        using RentScope scope = allocator.ReserveScope(Budget * Block);
        AssertHeld(allocator, idle: Budget, trimmed: 0);
        scope.Rent<byte>(Block, Budget - 2);
        AssertHeld(allocator, idle: 2, trimmed: 0);
        scope.ChargeExternal(Block);
        AssertHeld(allocator, idle: 1, trimmed: 1);
    }

    [Fact]
    public void Unpooled_memory_gets_the_place_of_what_is_idle_before_it_is_allocated()
    {
        using PixelAllocator allocator = CreateWithIdle(blocks: 4, capacity: 4);
        _system.Source.MaxLiveBytes = Budget * Block;
        using (allocator.Rent<byte>(Block, 6))
        {
            Assert.Equal(1, allocator.GetStatistics().UnpooledRents);
            AssertHeld(allocator, idle: 2, trimmed: 2);
        }

        Assert.Equal(0, _system.Source.Failures);

        // What failed holds nothing.
        _system.Source.FailAlways();
        Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(Block, 6));
        _system.Source.Heal();
        allocator.Rent<byte>(Block, 4).Dispose();
        using ExternalCharge charge = allocator.ChargeExternal(4 * Block);
        Assert.Equal(4 * Block, allocator.GetStatistics().IdleBytes);
    }

    [Fact]
    public void Arrays_get_the_place_of_what_is_idle()
    {
        using PixelAllocator allocator = CreateWithIdle(blocks: Budget);
        PixelBuffer<byte> small = allocator.Rent<byte>(1000, 1);
        AssertHeld(allocator, idle: Budget - 1, trimmed: 1);
        small.Dispose();
        using ExternalCharge charge = allocator.ChargeExternal(Block);
        AssertHeld(allocator, idle: Budget - 1, trimmed: 1);
    }

    [Fact]
    public void Fresh_blocks_get_the_place_of_those_that_can_not_be_used()
    {
        using PixelAllocator allocator = CreateWithIdle(blocks: 5);
        _system.Source.MaxLiveBytes = Budget * Block;
        using PixelBuffer<byte> contiguous = allocator.Rent<byte>(Block, 6, AllocationOptions.Contiguous);
        AssertHeld(allocator, idle: 2, trimmed: 3);
        Assert.Equal(0, _system.Source.Failures);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_system_never_holds_more_whatever_is_rented_in_whatever_order(bool divisible)
    {
        var random = new Random(Seed());
        using var system = new TestSystem(divisible: divisible);
        using PixelAllocator allocator = CreateMixed(system, TimeSpan.Zero);
        system.Source.MaxLiveBytes = Budget * Block;
        List<IDisposable> held = [];
        for (int i = 0; i < 3000; i++)
        {
            if (held.Count != 0 && random.Next(2) == 0)
            {
                int index = random.Next(held.Count);
                held[index].Dispose();
                held.RemoveAt(index);
            }

            try
            {
                held.Add(Rent(allocator, random));
            }
            catch (PixelBudgetExceededException)
            {
                // That is what a budget is for.
            }

            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.InRange(system.Source.LiveBytes + statistics.ExternalBytes, 0, Budget * Block);
            Assert.InRange(statistics.RentedBytes + statistics.IdleBytes + statistics.ExternalBytes, 0, Budget * Block);
        }

        held.ForEach(static rent => rent.Dispose());
        Assert.Equal(0, system.Source.Failures);
        AssertNothingStaysCounted(allocator);
    }

    // While a thread gives memory back, another one may get what it has room for already. So what is held is looked at when they are done.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Threads_that_mix_everything_leave_nothing_counted(bool divisible)
    {
        int seed = Seed();
        using var system = new TestSystem(divisible: divisible);
        using PixelAllocator allocator = CreateMixed(system, Timeout.InfiniteTimeSpan);
        Simultaneously.Run(8, TimeSpan.FromMinutes(5), thread =>
        {
            var random = new Random(seed + thread);
            for (int i = 0; i < 500; i++)
            {
                Rent(allocator, random).Dispose();
            }
        });
        AssertNothingStaysCounted(allocator);
    }

    private static int Seed()
    {
        int seed = Environment.TickCount;
        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        return seed;
    }

    private static PixelAllocator CreateMixed(TestSystem system, TimeSpan timeout) => system.CreateAllocator(configure: options =>
    {
        options.MaxRentedBytes = Budget * Block;
        options.RentTimeout = timeout;
        options.MaxPooledBytes = 5 * Block;
    });

    // All of the budget can be idle or external, and no more.
    private static void AssertNothingStaysCounted(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.ChargedBytes, statistics.ExternalBytes, statistics.RentedBytes));
        Assert.True(statistics.TrimmedByBudgetBytes > 0, "nothing had to make room: nothing was tested");
        using (allocator.ChargeExternal(3 * Block))
        {
            allocator.Rent<byte>(Block, 5).Dispose();
            Assert.Equal(5 * Block, allocator.GetStatistics().IdleBytes);
        }

        using (allocator.ChargeExternal(4 * Block))
        {
            Assert.Equal(4 * Block, allocator.GetStatistics().IdleBytes);
        }
    }

    private static IDisposable Rent(PixelAllocator allocator, Random random) => random.Next(5) switch
    {
        0 => allocator.Rent<byte>(Block, random.Next(1, 4)),
        1 => allocator.Rent<byte>(Block, random.Next(1, 6), AllocationOptions.Contiguous),
        2 => allocator.Rent<byte>(Block, random.Next(6, Budget)),
        3 => allocator.Rent<byte>(random.Next(1, 4000), 1),
        _ => allocator.ChargeExternal(random.Next(1, 4 * Block)),
    };

    private static void AssertHeld(PixelAllocator allocator, int idle, int trimmed)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((idle, trimmed), (statistics.IdleBytes / Block, statistics.TrimmedByBudgetBytes / Block));
        Assert.InRange(statistics.RentedBytes + statistics.IdleBytes + statistics.ExternalBytes, 0, Budget * Block);
    }

    private PixelAllocator CreateWithIdle(int blocks, int capacity = 64)
    {
        PixelAllocator allocator = _system.CreateAllocator(capacity, static options => options.MaxRentedBytes = Budget * Block);
        allocator.Rent<byte>(Block, blocks).Dispose();
        return allocator;
    }
}

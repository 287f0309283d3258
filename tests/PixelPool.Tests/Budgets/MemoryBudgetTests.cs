using PixelPool.Budgets;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

public sealed class MemoryBudgetTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Rent_over_the_budget_throws_with_the_sizes_and_takes_nothing()
    {
        using PixelAllocator allocator = Create(budget: 5 * Block);
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 3);
        PixelPoolStatistics before = allocator.GetStatistics();
        var exception = Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(Block, 3));
        Assert.Equal((3 * Block, 5 * Block), (exception.RequestedBytes, exception.LimitBytes));
        Assert.Contains("192 KiB", exception.Message, StringComparison.Ordinal);
        Assert.Contains("320 KiB", exception.Message, StringComparison.Ordinal);
        Assert.IsType<InvalidMemoryOperationException>(exception, exactMatch: false);
        Assert.Equal(before with { BudgetRefusals = 1 }, allocator.GetStatistics());
        allocator.Rent<byte>(Block, 2).Dispose();
    }

    [Fact]
    public void A_limit_beyond_all_memory_counts_as_any_other()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using RentScope scope = allocator.CreateScope(long.MaxValue);
        const long Half = 1L << 61;
        using (scope.ChargeExternal(Half))
        using (scope.ReserveScope(Half - 1))
        {
            Assert.Equal((1L << 62) - 1, scope.ChargedBytes);
            Assert.Throws<PixelBudgetExceededException>(() => scope.ChargeExternal(1));
        }

        Assert.Equal((0, long.MaxValue), (scope.ChargedBytes, scope.MaxRentedBytes));
        Assert.Throws<PixelBudgetExceededException>(() => scope.ChargeExternal(1L << 62));
        Assert.Throws<PixelBudgetExceededException>(() => scope.ReserveScope(long.MaxValue));
        Assert.Equal(0, scope.ChargedBytes);
    }

    [Fact]
    public void What_is_charged_below_the_allocator_only_does_not_pass_those_who_wait_for_the_allocator()
    {
        var outer = new MemoryBudget(128);
        var inner = new MemoryBudget(10_000, outer, isReservation: false);
        Assert.True(outer.TryCharge(99));
        Assert.True(inner.TryCharge(1));
        outer.Join(new BudgetWaiter(outer, 60, WaitRank.Other, order: 1, continuation: null));
        inner.Join(new BudgetWaiter(inner, 10_000, WaitRank.Other, order: 1, continuation: null));
        for (int i = 0; i < 200; i++)
        {
            Assert.True(inner.TryCharge(1, belowRoot: true));
            inner.Release(1, belowRoot: true);
        }

        Assert.True(outer.TryCharge(1));
    }

    /// <summary>Whoever takes idle memory that is charged may have taken it before a request got in line, which finds nothing then.</summary>
    [Fact]
    public void Who_waits_is_let_in_when_the_charge_of_idle_memory_ends()
    {
        var budget = new MemoryBudget(100);
        Assert.True(budget.TryCharge(100));
        var waiter = new BudgetWaiter(budget, 60, WaitRank.Other, order: 1, continuation: null);
        using (IdleHold hold = budget.HoldIdle())
        {
            budget.Join(waiter);
            hold.EndCharge(60);
            Assert.Equal(WaiterState.InLine, waiter.State);
        }

        Assert.Equal((WaiterState.Granted, 100L), (waiter.State, budget.ChargedBytes));
    }

    /// <summary>Bytes that are charged to the budget around, and to the one inside of it; then what is asked for, and whether the one inside refuses.</summary>
    [Theory]
    [InlineData(150, 0, 100, false)]
    [InlineData(150, 0, 101, true)]
    [InlineData(170, 60, 50, true)]
    [InlineData(40, 60, 50, true)]
    [InlineData(0, 0, 201, true)]
    public void The_budget_that_refuses_is_the_innermost_one_without_room(long outside, long inside, long asked, bool isInner)
    {
        var outer = new MemoryBudget(200);
        var inner = new MemoryBudget(100, outer, isReservation: false);
        Assert.True(outer.TryCharge(outside - Math.Min(inside, outside)));
        Assert.True(inner.TryCharge(inside));
        Assert.Same(isInner ? inner : outer, inner.RefusedBy(asked));
    }

    [Fact]
    public void What_is_charged_to_a_reservation_is_a_part_of_it_until_that_ends()
    {
        var outer = new MemoryBudget(200);
        var scope = new MemoryBudget(150, outer, isReservation: false);
        var reservation = new MemoryBudget(100, scope, isReservation: true);
        var inside = new MemoryBudget(50, reservation, isReservation: false);
        Assert.True(scope.TryCharge(100));
        Assert.Equal((false, false, true, true), (outer.IsReservedPart, scope.IsReservedPart, reservation.IsReservedPart, inside.IsReservedPart));
        Assert.Equal((true, true, false, false), (inside.CountsIn(inside), inside.CountsIn(reservation), inside.CountsIn(scope), inside.CountsIn(outer)));
        reservation.Close();
        Assert.Equal((false, false), (reservation.IsReservedPart, inside.IsReservedPart));
        Assert.Equal((true, true), (inside.CountsIn(scope), reservation.CountsIn(outer)));
        Assert.Equal((0L, 0L), (scope.ChargedBytes, outer.ChargedBytes));
    }

    [Fact]
    public void TryRent_over_the_budget_is_false()
    {
        using PixelAllocator allocator = Create(budget: Block);
        Assert.True(allocator.TryRent(Block, 1, out PixelBuffer<byte>? held));
        Assert.False(allocator.TryRent(Block, 1, out PixelBuffer<byte>? none));
        Assert.Null(none);
        Assert.False(allocator.TryRent(1, 1, out none));
        held.Dispose();
        Assert.True(allocator.TryRent(Block, 1, out none));
        none.Dispose();
    }

    [Fact]
    public void Allocate_and_the_memory_pool_are_charged_too()
    {
        using PixelAllocator allocator = Create(budget: 10_000);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.Allocate<long>(2000));
        using System.Buffers.MemoryPool<byte> pool = allocator.AsMemoryPool();
        using System.Buffers.IMemoryOwner<byte> first = pool.Rent(3900);
        using System.Buffers.IMemoryOwner<byte> second = pool.Rent(3900);
        Assert.Throws<PixelBudgetExceededException>(() => pool.Rent(3900));
    }

    /// <summary>Strategy, bytes of a row, rows, and whether they are contiguous.</summary>
    public static TheoryData<SmallBufferStrategy, int, int, AllocationOptions> EveryTier => new()
    {
        { SmallBufferStrategy.ArrayPool, 80, 10, AllocationOptions.None },
        { SmallBufferStrategy.None, 100, 10, AllocationOptions.None },
        { SmallBufferStrategy.None, Block, 1, AllocationOptions.None },
        { SmallBufferStrategy.None, 5000, 30, AllocationOptions.None },
        { SmallBufferStrategy.None, Block, 9, AllocationOptions.None },
        { SmallBufferStrategy.None, 5000, 30, AllocationOptions.Contiguous },
        { SmallBufferStrategy.None, 5000, 60, AllocationOptions.Contiguous },
        { SmallBufferStrategy.None, Block + 1, 1, AllocationOptions.None },
        { SmallBufferStrategy.None, Block, 9, AllocationOptions.Contiguous },
        { SmallBufferStrategy.None, (8 * Block) + 1, 1, AllocationOptions.None },
    };

    [Theory]
    [MemberData(nameof(EveryTier))]
    public void Every_tier_charges_the_bytes_it_holds(SmallBufferStrategy strategy, int width, int height, AllocationOptions options)
    {
        long held;
        using (PixelAllocator measured = Create(budget: long.MaxValue, strategy))
        using (measured.Rent<byte>(width, height, options))
        {
            held = measured.GetStatistics().RentedBytes;
            Assert.True(held >= width * height);
        }

        using PixelAllocator exact = Create(held, strategy);
        for (int i = 0; i < 3; i++)
        {
            using PixelBuffer<byte> image = exact.Rent<byte>(width, height, options);
            Assert.Equal(held, exact.GetStatistics().RentedBytes);
        }

        using PixelAllocator tight = Create(held - 1, strategy);
        Assert.False(tight.TryRent(width, height, out PixelBuffer<byte>? none, options), $"{none} holds more than the budget");
        Assert.Equal(0, tight.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(tight.GetStatistics());
    }

    [Fact]
    public void Budget_is_charged_with_what_unpooled_memory_holds_where_nothing_is_pooled()
    {
        // The pool could never serve it: whole blocks must not be what decides.
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 0, static options => options.MaxRentedBytes = 10_000);
        using PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
        Assert.Equal(10_000, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Slabs_hold_no_more_than_the_budget()
    {
        using PixelAllocator allocator = Create((2 * Block) + 5000, SmallBufferStrategy.Slab);
        var images = new List<PixelBuffer<byte>>();
        while (allocator.TryRent(64, 64, out PixelBuffer<byte>? image))
        {
            images.Add(image);
            Assert.InRange(allocator.GetStatistics().RentedBytes, 4096, (2 * Block) + 5000);
        }

        Assert.True(images.Count >= 32, $"{images.Count} images of 4 KiB fitted");
        images.ForEach(static image => image.Dispose());

        // A run is charged with its blocks, too. What is left after two is no block for a slab, but serves for arrays.
        Assert.False(allocator.TryRent((2 * Block) + 5000, 1, out PixelBuffer<byte>? _, AllocationOptions.Contiguous));
        using PixelBuffer<byte> all = allocator.Rent<byte>(2 * Block, 1, AllocationOptions.Contiguous);
        using PixelBuffer<byte> small = allocator.Rent<byte>(50, 50);
        Assert.Equal((2 * Block) + 4096, allocator.GetStatistics().RentedBytes);
        Assert.False(allocator.TryRent(30, 30, out PixelBuffer<byte>? _));
    }

    [Fact]
    public void Image_over_the_capacity_is_charged_with_its_unpooled_bytes()
    {
        // Two rows of 40,000 bytes: two whole blocks of the pool, which has one, or 80,000 bytes in one piece.
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 1, static options => options.MaxRentedBytes = 80_000);
        using PixelBuffer<byte> image = allocator.Rent<byte>(40_000, 2);
        Assert.Equal([80_000], _system.Source.LiveSizes);
    }

    [Fact]
    public void Budget_is_released_once_per_rent()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        for (int i = 0; i < 20; i++)
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(Block, 2);
            PixelBuffer<byte> view = image.View(0, 0, 10, 2);
            image.Dispose();
            image.Dispose();
            Assert.False(allocator.TryRent(Block, 1, out PixelBuffer<byte>? none), $"the view still holds the memory {none}");
            view.Dispose();
            view.Dispose();
        }

        using PixelBuffer<byte> all = allocator.Rent<byte>(Block, 2);
        Assert.False(allocator.TryRent(1, 1, out PixelBuffer<byte>? _));
    }

    [Fact]
    public void Buffers_disposed_after_the_allocator_release_without_harm()
    {
        PixelAllocator allocator = Create(budget: Block);
        PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        allocator.Dispose();
        image.Dispose();
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Charges_fit_to_the_last_byte()
    {
        var budget = new MemoryBudget(100);
        Assert.True(budget.TryCharge(60));
        Assert.False(budget.TryCharge(41));
        Assert.True(budget.TryCharge(40));
        Assert.True(budget.TryCharge(0));
        Assert.False(budget.TryCharge(1));
        budget.Release(1);
        Assert.True(budget.TryCharge(1));
        Assert.False(budget.TryCharge(long.MaxValue));
        Assert.True(new MemoryBudget(long.MaxValue).TryCharge((1L << 62) - 1));
        Assert.False(new MemoryBudget(long.MaxValue).TryCharge(1L << 62));
    }

    [Fact]
    public void Charges_of_eight_threads_never_exceed_the_limit_and_all_come_back()
    {
        const int Limit = 1000;
        var budget = new MemoryBudget(Limit);
        long charged = 0;
        long most = 0;
        Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, worker =>
        {
            var random = new Random(worker);
            for (int i = 0; i < 20_000; i++)
            {
                int bytes = random.Next(1, 400);
                if (budget.TryCharge(bytes))
                {
                    long now = Interlocked.Add(ref charged, bytes);
                    Assert.True(now <= Limit, $"{now} bytes are charged");
                    if (now > Volatile.Read(ref most))
                    {
                        Volatile.Write(ref most, now);
                    }

                    Interlocked.Add(ref charged, -bytes);
                    budget.Release(bytes);
                }
            }
        });
        Assert.InRange(most, 1, Limit);
        Assert.True(budget.TryCharge(Limit));
        Assert.False(budget.TryCharge(1));
    }

    [Fact]
    [Trait("Category", "Long")]
    public void Rents_of_eight_threads_never_exceed_the_budget_also_when_memory_runs_out()
    {
        const int Blocks = 6;
        using PixelAllocator allocator = Create(Blocks * Block);
        int rented = 0;
        int refused = 0;
        int starved = 0;
        Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, worker =>
        {
            var random = new Random(worker);
            for (int i = 0; i < 300; i++)
            {
                int blocks = random.Next(1, 5);
                if (i % 50 == 49)
                {
                    allocator.Trim();
                    _system.Source.FailNext(4);
                }

                try
                {
                    if (!allocator.TryRent(Block, blocks, out PixelBuffer<byte>? image))
                    {
                        Interlocked.Increment(ref refused);
                        continue;
                    }

                    int now = Interlocked.Add(ref rented, blocks);
                    Assert.True(now <= Blocks, $"{now} blocks are rented");
                    image.Fill((byte)worker);
                    Assert.Equal((byte)worker, image[Block - 1, blocks - 1]);
                    Interlocked.Add(ref rented, -blocks);
                    image.Dispose();
                }
                catch (OutOfMemoryException)
                {
                    Interlocked.Increment(ref starved);
                }
            }
        });
        TestContext.Current.TestOutputHelper?.WriteLine($"{refused} refused, {starved} without memory");
        _system.Source.Heal();
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        using PixelBuffer<byte> all = allocator.Rent<byte>(Block, Blocks);
        Assert.False(allocator.TryRent(1, 1, out PixelBuffer<byte>? _));
    }

    private PixelAllocator Create(long budget, SmallBufferStrategy strategy = SmallBufferStrategy.ArrayPool) =>
        _system.CreateAllocator(capacityInBlocks: 8, options =>
        {
            options.MaxRentedBytes = budget;
            options.SmallBuffers = strategy;
        });
}

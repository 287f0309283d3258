using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

/// <summary>The block of a slab without pieces in use is idle, and goes wherever idle memory goes.</summary>
public sealed class EmptySlabTests : IDisposable
{
    private const long Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Piece_that_comes_and_goes_is_cut_from_the_same_block()
    {
        using PixelAllocator allocator = Create();
        for (int i = 0; i < 100; i++)
        {
            Use(allocator);
        }

        Assert.Equal((0, Block, Block, 100), Figures(allocator));
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void Next_slab_of_any_size_and_the_next_image_are_cut_from_it_with_its_charge()
    {
        using PixelAllocator allocator = Create(configure: static options => options.MaxRentedBytes = Block);
        for (int i = 0; i < 3; i++)
        {
            Use(allocator);
            allocator.Rent<byte>(3000, 1).Dispose();
            allocator.Rent<byte>(64 << 10, 1).Dispose();
        }

        Assert.Equal((0, Block, Block, 6), Figures(allocator));
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void Second_slab_that_becomes_empty_goes_back_to_the_depot()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 17).Select(_ => allocator.Rent<byte>(64, 64))];
        Assert.Equal((17 * 4096, 15 * 4096, 2 * Block, 17), Figures(allocator));
        Array.ForEach(images, static image => image.Dispose());
        Assert.Equal((0, 2 * Block, 2 * Block, 17), Figures(allocator));
        using PixelBuffer<byte> whole = allocator.Rent<byte>(64 << 10, 1);
        Assert.Equal((Block, Block, 2 * Block, 17), Figures(allocator));
    }

    [Fact]
    public void Two_images_of_half_a_block_share_one()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { SmallBuffers = SmallBufferStrategy.Slab });
        using PixelBuffer<byte> one = allocator.Rent<byte>(2048, 1024);
        using PixelBuffer<byte> other = allocator.Rent<byte>(2047, 1024);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((4 << 20, 2), (statistics.RentedBytes, statistics.SmallRents));
        Assert.Equal(2 << 20, one.HeldBytes);
        using PixelBuffer<byte> larger = allocator.Rent<byte>(2049, 1024);
        Assert.Equal((8 << 20, 2), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SmallRents));
    }

    [Theory]
    [InlineData(64, 2 << 20)]
    [InlineData(1, 1 << 20)]
    public void Largest_small_image_is_half_a_block_where_slabs_serve_because_of_the_alignment(int alignment, int threshold)
    {
        var options = new PixelAllocatorOptions { RowAlignmentBytes = alignment };
        Assert.Equal(threshold, options.SmallBufferThresholdBytes);
        options.SmallBufferThresholdBytes = 5000;
        Assert.Equal(5000, options.SmallBufferThresholdBytes);
    }

    [Fact]
    public void Trim_gives_their_blocks_back()
    {
        using PixelAllocator allocator = Create();
        UseTwoSizes(allocator);
        Assert.Equal((0, 2 * Block), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
        Assert.Equal(Block, allocator.TrimTo(Block));
        Assert.Equal(Block, allocator.Trim());
        Assert.Equal(2 * Block, allocator.GetStatistics().TrimmedByRequestBytes);
        AssertNothingHeld(allocator);
        Use(allocator);
        Assert.Equal(Block, allocator.GetStatistics().IdleBytes);
    }

    [Fact]
    public void Policy_gives_their_blocks_back_when_nobody_uses_them()
    {
        using PixelAllocator allocator = Create(configure: static options => options.TrimPolicy = TrimPolicy.Demand);
        UseTwoSizes(allocator);
        Assert.Equal(1, _system.Time.ActiveTimers);
        _system.Time.Advance(TimeSpan.FromMinutes(1), TimeSpan.FromSeconds(4), () => Use(allocator));
        Assert.Equal(Block, allocator.GetStatistics().IdleBytes);
        Assert.Equal(Block, allocator.GetStatistics().TrimmedByTimerBytes);
        _system.Time.Advance(TimeSpan.FromSeconds(60));
        AssertNothingHeld(allocator);
        Assert.Equal(0, _system.Time.ActiveTimers);
    }

    [Fact]
    public void Timer_runs_again_when_a_slab_becomes_empty_after_everything_was_given_back()
    {
        using PixelAllocator allocator = Create(configure: static options => options.TrimPolicy = TrimPolicy.Halving(TimeSpan.FromSeconds(1), 1));
        for (int i = 0; i < 3; i++)
        {
            Use(allocator);
            _system.Time.Advance(TimeSpan.FromSeconds(3));
            AssertNothingHeld(allocator);
        }

        Assert.Equal(3 * Block, allocator.GetStatistics().TrimmedByTimerBytes);
    }

    [Fact]
    public void Memory_pressure_gives_their_blocks_back()
    {
        using PixelAllocator allocator = Create(configure: static options => options.TrimPolicy = TrimPolicy.Demand);
        UseTwoSizes(allocator);
        _system.Pressure.High = true;
        _system.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(2 * Block, allocator.GetStatistics().TrimmedByPressureBytes);
        AssertNothingHeld(allocator);
    }

    [Fact]
    public void Collection_gives_their_blocks_back_when_timers_do_not_come()
    {
        using var system = new TestSystem { ListensToCollections = true };
        using PixelAllocator allocator = system.CreateAllocator(configure: static options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.TrimPolicy = TrimPolicy.Halving(TimeSpan.FromSeconds(2), 1);
        });
        Use(allocator);
        system.Time.TimersAreStuck = true;
        system.Time.Advance(TimeSpan.FromSeconds(2));
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert.Equal(Block, allocator.GetStatistics().TrimmedByGen2Bytes);
        AssertNothingHeld(allocator);
    }

    [Fact]
    public void Disposal_gives_their_blocks_back_and_nothing_stays_afterwards()
    {
        PixelAllocator allocator = Create();
        PixelBuffer<byte> late = allocator.Rent<byte>(100, 1);
        UseTwoSizes(allocator);
        allocator.Dispose();
        Assert.Equal([Block], _system.Source.LiveSizes);
        late.Dispose();
        _system.Source.AssertAllFreed();
        AssertNothingHeld(allocator);
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(2, true)]
    public void Full_pool_has_room_where_slabs_are_empty(int blocks, bool contiguous)
    {
        using PixelAllocator allocator = Create(capacity: 2);
        UseTwoSizes(allocator);
        using PixelBuffer<byte> whole = allocator.Rent<byte>(64 << 10, blocks, contiguous ? AllocationOptions.Contiguous : AllocationOptions.None);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((blocks * Block, 0), (statistics.RentedBytes, statistics.UnpooledRents));
        StatisticsAssert.Balanced(statistics);
    }

    [Fact]
    public void Full_pool_has_room_for_a_slab_of_another_size()
    {
        using PixelAllocator allocator = Create(capacity: 2);
        UseTwoSizes(allocator);
        using PixelBuffer<byte> third = allocator.Rent<byte>(3000, 1);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((3072, (2 * Block) - 3072, 2 * Block, 0), (statistics.RentedBytes, statistics.IdleBytes, statistics.AllocatedBytes, statistics.UnpooledRents));
        StatisticsAssert.Balanced(statistics);
    }

    [Fact]
    public void Full_pool_has_room_for_a_slab_where_a_thread_keeps_the_block()
    {
        using PixelAllocator allocator = Create(capacity: 1);
        for (int i = 0; i < 200; i++)
        {
            allocator.Rent<byte>(64 << 10, 1).Dispose();
        }

        for (int i = 0; i < 3; i++)
        {
            using PixelBuffer<byte> small = allocator.Rent<byte>(100, 1);
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((128, Block - 128, Block, 0), (statistics.RentedBytes, statistics.IdleBytes, statistics.AllocatedBytes, statistics.UnpooledRents));
        }
    }

    [Fact]
    public void What_the_pool_can_never_hold_takes_nothing_from_slabs()
    {
        using PixelAllocator allocator = Create(capacity: 2);
        Use(allocator);
        using PixelBuffer<byte> large = allocator.Rent<byte>(64 << 10, 3);
        Assert.Equal((3 * Block, Block), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
    }

    [Fact]
    public void Empty_slabs_are_not_charged_and_make_room_in_the_budget()
    {
        using PixelAllocator allocator = Create(configure: static options => options.MaxRentedBytes = 2 * Block);
        for (int round = 0; round < 3; round++)
        {
            UseTwoSizes(allocator);
            Assert.Equal((0, 2 * Block), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().IdleBytes));
            using (allocator.Rent<byte>(64 << 10, 2))
            {
                PixelPoolStatistics during = allocator.GetStatistics();
                Assert.Equal((2 * Block, 2 * Block, 0), (during.ChargedBytes, during.RentedBytes, during.IdleBytes));
                Assert.False(allocator.TryRent<byte>(1, 1, out _));
            }
        }

        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
        Assert.Equal(2 * Block, allocator.GetStatistics().AllocatedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void Block_that_the_system_refuses_is_not_charged()
    {
        using PixelAllocator allocator = Create(configure: static options => options.MaxRentedBytes = 2 * Block);
        _system.Source.FailAlways();
        Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(10, 1));
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
        _system.Source.Heal();
        allocator.Rent<byte>(10, 1).Dispose();
    }

    [Fact]
    public async Task Request_that_waits_for_the_budget_gets_it_when_the_last_piece_comes_back()
    {
        using PixelAllocator allocator = Create(configure: static options => options.MaxRentedBytes = Block);
        PixelBuffer<byte> one = allocator.Rent<byte>(10, 1);
        PixelBuffer<byte> other = allocator.Rent<byte>(10, 1);
        ValueTask<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(64 << 10, 1, cancellationToken: TestContext.Current.CancellationToken);
        one.Dispose();
        Assert.False(waiting.IsCompleted);
        other.Dispose();
        using PixelBuffer<byte> whole = await waiting;
        Assert.Equal(Block, allocator.GetStatistics().ChargedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    private static void Use(PixelAllocator allocator) => allocator.Rent<byte>(100, 1).Dispose();

    private static void UseTwoSizes(PixelAllocator allocator)
    {
        PixelBuffer<byte> small = allocator.Rent<byte>(100, 1);
        allocator.Rent<byte>(4000, 1).Dispose();
        small.Dispose();
    }

    private static void AssertNothingHeld(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0), (statistics.RentedBytes, statistics.IdleBytes));
        Assert.Equal(statistics.AllocatedBytes, statistics.ReleasedBytes);
    }

    private static (long Rented, long Idle, long Allocated, long SmallRents) Figures(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        return (statistics.RentedBytes, statistics.IdleBytes, statistics.AllocatedBytes, statistics.SmallRents);
    }

    private PixelAllocator Create(int capacity = 64, Action<PixelAllocatorOptions>? configure = null) => _system.CreateAllocator(capacity, options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        configure?.Invoke(options);
    });
}

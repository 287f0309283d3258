using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Budgets;

/// <summary>MaxRentedBytes, from the caller's side: what fits, what does not, what the exception says.</summary>
public class BudgetTierTests
{
    private const int Block = TierSizes.BlockBytes;

    // Slabs are cut from blocks, and many pieces share the charge of one: they have tests of their own.
    public static TheoryData<MemoryTier> AllTiersButSlabs => [.. Enum.GetValues<MemoryTier>().Where(tier => tier != MemoryTier.Slab)];

    [Theory]
    [MemberData(nameof(AllTiersButSlabs))]
    public void A_budget_of_exactly_one_image_serves_one_at_a_time(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.MaxRentedBytes = HeldBytes(tier);
        using PixelAllocator allocator = PixelAllocator.Create(options);
        for (int i = 0; i < 3; i++)
        {
            using PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, tier);
            PixelPoolStatistics before = allocator.GetStatistics();
            Assert.Equal(options.MaxRentedBytes, before.RentedBytes);
            var exception = Assert.Throws<PixelBudgetExceededException>(() => TierSizes.Rent<uint>(allocator, tier));
            Assert.Equal(options.MaxRentedBytes, exception.RequestedBytes);
            Assert.Equal(options.MaxRentedBytes, exception.LimitBytes);
            Assert.False(allocator.TryRent(buffer.Width, buffer.Height, out PixelBuffer<uint>? none, TierSizes.Asks(tier)));
            Assert.Null(none);
            Assert.Throws<PixelBudgetExceededException>(() => allocator.Allocate<uint>(1));
            Assert.Equal(before with { BudgetRefusals = before.BudgetRefusals + 3 }, allocator.GetStatistics());
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(AllTiersButSlabs))]
    public void A_budget_of_one_byte_less_serves_nothing(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.MaxRentedBytes = HeldBytes(tier) - 1;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        Assert.Throws<PixelBudgetExceededException>(() => TierSizes.Rent<uint>(allocator, tier));
        TierSizes.AssertQuiet(allocator);
        Assert.Equal(0, allocator.GetStatistics().Rents);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Block)]
    public void An_image_over_the_capacity_is_charged_with_the_bytes_it_really_takes(int capacity)
    {
        // Two blocks of which the second would be hardly used: unpooled, it takes what it needs.
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.SeveralBlocks);
        options.MaxPooledBytes = capacity;
        options.MaxRentedBytes = Block + 1000;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<byte> buffer = allocator.Rent<byte>(64, 1030);
        Assert.Equal(64 * 1030, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Pieces_of_a_slab_share_the_charge_of_their_block()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.Slab);
        options.MaxRentedBytes = Block;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        for (int round = 0; round < 3; round++)
        {
            using (var scope = new RentScope(allocator))
            {
                for (int i = 0; i < Block / 4096; i++)
                {
                    scope.Rent<byte>(64, 64);
                    Assert.Equal(((i + 1) * 4096, Block), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes));
                }

                PixelPoolStatistics before = allocator.GetStatistics();
                Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(64, 64));
                Assert.False(allocator.TryRent<byte>(1, 1, out _));
                Assert.Equal(before with { BudgetRefusals = before.BudgetRefusals + 2 }, allocator.GetStatistics());
            }

            TierSizes.AssertQuiet(allocator);
        }
    }

    [Fact]
    public void With_a_budget_below_a_block_small_images_of_slabs_are_arrays()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.Slab);
        options.MaxRentedBytes = 16_400;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        for (int i = 0; i < 3; i++)
        {
            using PixelBuffer<byte> buffer = allocator.Rent<byte>(100, 100);
            Assert.Equal(16_384, allocator.GetStatistics().RentedBytes);
            Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(20, 1));
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_view_costs_nothing_and_holds_the_charge_of_its_image()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        options.MaxRentedBytes = Block;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        PixelBuffer<uint> view = buffer.View(1, 1, 2, 2);
        buffer.Dispose();
        Assert.False(allocator.TryRent<uint>(1, 1, out _));

        view.Dispose();
        Assert.True(allocator.TryRent(1, 1, out PixelBuffer<uint>? next));
        next.Dispose();
    }

    [Fact]
    public void Without_a_budget_TryRent_is_Rent()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        Assert.True(allocator.TryRent(61, 61, out PixelBuffer<uint>? buffer, AllocationOptions.Clean));
        PixelPattern.AssertEveryByte(buffer, 0);
        buffer.Dispose();
    }

    [Fact]
    public void The_exceptions_say_what_was_asked_and_what_there_is()
    {
        var exception = new PixelBudgetExceededException(requestedBytes: 3 << 20, limitBytes: 1536 << 10);
        Assert.Equal(3 << 20, exception.RequestedBytes);
        Assert.Equal(1536 << 10, exception.LimitBytes);
        Assert.Contains("3 MiB", exception.Message, StringComparison.Ordinal);
        Assert.Contains("1.5 MiB", exception.Message, StringComparison.Ordinal);
        Assert.Contains("whole budget", exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("whole budget", new PixelBudgetExceededException(requestedBytes: 3 << 20, limitBytes: 3 << 20).Message, StringComparison.Ordinal);
        Assert.IsType<InvalidMemoryOperationException>(exception, exactMatch: false);
        Assert.IsType<InvalidOperationException>(exception, exactMatch: false);

        var inner = new OverflowException();
        var wrapped = new InvalidMemoryOperationException("too large", inner);
        Assert.Equal("too large", wrapped.Message);
        Assert.Same(inner, wrapped.InnerException);
        Assert.Equal("alone", new InvalidMemoryOperationException("alone").Message);
    }

    private static long HeldBytes(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, tier);
        return allocator.GetStatistics().RentedBytes;
    }
}

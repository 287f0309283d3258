using System.Buffers;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Small images of slabs where no block can be had to cut: arrays serve, and nothing is asked of the system for one image.</summary>
public sealed class SlabFallbackTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(1024)]
    public void In_a_scope_below_a_block_when_the_budget_is_full_they_are_arrays(int alignment)
    {
        using PixelAllocator allocator = Create(alignment, budget: (2 * Block) + 20_000);
        using RentScope scope = allocator.ReserveScope(20_000);
        using PixelBuffer<byte> rest = allocator.Rent<byte>(2 * Block, 1);
        long allocations = _system.Source.Allocations;
        for (int i = 0; i < 10; i++)
        {
            using PixelBuffer<byte> image = scope.Rent<byte>(1024, 3, AllocationOptions.Clean);
            PixelPattern.AssertEveryByte(image, 0);
            PixelPattern.Fill(image, (byte)i);
            using PinnedPixels pin = image.Pin();
            Assert.Equal(0, pin.Address % alignment);
            Assert.InRange(scope.ChargedBytes, 1024 * 3, 20_000);
        }

        Assert.Equal(allocations, _system.Source.Allocations);
        Assert.Equal(0, scope.ChargedBytes);
    }

    [Fact]
    public void Rows_of_an_array_are_aligned_wherever_it_lies()
    {
        const int Alignment = 1024;
        using PixelAllocator allocator = Create(Alignment, budget: 30_000, ArrayPool<byte>.Create());
        for (int i = 0; i < 20; i++)
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(100 + i, 3);
            GC.Collect(0);
            image.ProcessPixelRows(static rows =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    Assert.Equal(0, AddressOf(rows.GetRowSpan(y)) % Alignment);
                }
            });
        }

        Assert.Equal(0, _system.Source.Allocations);
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void When_the_pool_is_full_they_are_arrays()
    {
        using PixelAllocator allocator = Create(alignment: 1, budget: null, capacityInBlocks: 1);
        using PixelBuffer<byte> all = allocator.Rent<byte>(Block, 1);
        using (PixelBuffer<byte> image = allocator.Rent<byte>(50, 50))
        {
            PixelPattern.Fill(image, 3);
            PixelPoolStatistics during = allocator.GetStatistics();
            StatisticsAssert.Balanced(during);
            Assert.Equal((Block + 4096, 0, 1), (during.RentedBytes, during.UnpooledRents, during.SmallRents));
            PixelPattern.AssertEveryByte(image, 3);
        }

        Assert.Equal([Block], _system.Source.LiveSizes);
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void What_has_no_room_for_an_array_takes_what_it_needs()
    {
        using PixelAllocator allocator = Create(alignment: 64, budget: (2 * Block) + 4096);
        using RentScope scope = allocator.ReserveScope(allocator.GetHeldBytes<byte>(64, 64));
        using PixelBuffer<byte> rest = allocator.Rent<byte>(2 * Block, 1);
        using (PixelBuffer<byte> image = scope.Rent<byte>(64, 64))
        {
            Assert.Equal((4096, 4096), (image.HeldBytes, scope.ChargedBytes));
            Assert.False(scope.TryRent<byte>(1, 1, out _));
        }

        Assert.Equal(0, scope.ChargedBytes);
    }

    private static unsafe nint AddressOf(Span<byte> span)
    {
        fixed (byte* first = span)
        {
            return (nint)first;
        }
    }

    private PixelAllocator Create(int alignment, long? budget, ArrayPool<byte>? arrays = null, int capacityInBlocks = 64) => _system.CreateAllocator(
        capacityInBlocks,
        options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.RowAlignmentBytes = alignment;
            options.MaxRentedBytes = budget;
            options.ArrayPool = arrays ?? options.ArrayPool;
        });
}

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
    public void When_the_pool_is_full_small_images_of_more_than_half_a_block_come_from_the_system()
    {
        using PixelAllocator allocator = _system.CreateAllocator(1, static options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.SmallBufferThresholdBytes = 3 * Block / 4;
        });
        PixelBuffer<byte> first = allocator.Rent<byte>((Block / 2) + 1, 1);
        Assert.Equal((Block, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().UnpooledRents));
        using (PixelBuffer<byte> image = allocator.Rent<byte>((Block / 2) + 1, 1))
        {
            PixelPattern.Fill(image, 3);
            StatisticsAssert.Balanced(allocator.GetStatistics());
            Assert.Equal(1, allocator.GetStatistics().UnpooledRents);
            PixelPattern.AssertEveryByte(image, 3);
        }

        Assert.Equal([Block], _system.Source.LiveSizes);
        first.Dispose();
        Assert.Equal((0L, (long)Block), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
    }

    public static TheoryData<SmallBufferStrategy, int, int> Reserved
    {
        get
        {
            var data = new TheoryData<SmallBufferStrategy, int, int>();
            foreach (SmallBufferStrategy small in (SmallBufferStrategy[])[SmallBufferStrategy.Slab, SmallBufferStrategy.ArrayPool])
            {
                foreach (int alignment in (int[])[1, 64, 1024])
                {
                    foreach (int bytes in (int[])[1, 100, 1024, 2000, 3 * 1024, 4096])
                    {
                        data.Add(small, alignment, bytes);
                    }
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Reserved))]
    public void A_reservation_for_so_many_images_has_room_for_them_when_the_rest_is_charged(SmallBufferStrategy small, int alignment, int bytes)
    {
        const int Images = 8;
        using PixelAllocator allocator = Create(alignment, budget: 4 * Block, small: small);
        long each = allocator.GetHeldBytes<byte>(bytes, 1);
        using RentScope scope = allocator.ReserveScope(Images * each);
        using ExternalCharge rest = allocator.ChargeExternal((4 * Block) - (Images * each));
        long allocations = _system.Source.Allocations;
        for (int i = 0; i < Images; i++)
        {
            Assert.InRange(scope.Rent<byte>(bytes, 1).HeldBytes, bytes, each);
        }

        Assert.InRange(scope.ChargedBytes, Images * bytes, Images * each);
        Assert.Equal(allocations, _system.Source.Allocations);
    }

    [Fact]
    public void What_has_no_room_for_a_block_or_an_array_is_refused()
    {
        using PixelAllocator allocator = Create(alignment: 64, budget: (2 * Block) + 4096);
        using RentScope scope = allocator.ReserveScope(4096);
        using PixelBuffer<byte> rest = allocator.Rent<byte>(2 * Block, 1);
        long allocations = _system.Source.Allocations;
        Assert.False(scope.TryRent<byte>(64, 64, out _));
        Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(64, 64));
        Assert.Equal(allocations, _system.Source.Allocations);
        Assert.Equal(0, scope.ChargedBytes);
    }

    private static unsafe nint AddressOf(Span<byte> span)
    {
        fixed (byte* first = span)
        {
            return (nint)first;
        }
    }

    /// <summary>Arrays may be shorter than pieces: a piece that the scope has no room for is no help, and asking for it again and again neither.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_scope_that_has_room_for_an_array_but_never_for_a_piece_is_refused(bool isAwaited)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.SmallBufferThresholdBytes = Block / 2;
            options.MaxRentedBytes = Block;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
            options.ArrayPool = new RecyclingArrayPool();
        });
        using PixelBuffer<byte> held = allocator.Rent<byte>(8193, 1);
        using RentScope scope = allocator.CreateScope(10_000);
        Task request = Task.Run(
            async () => (isAwaited ? await scope.RentAsync<byte>(8193, 1, cancellationToken: TestContext.Current.CancellationToken) : scope.Rent<byte>(8193, 1)).Dispose(),
            TestContext.Current.CancellationToken);
        await Assert.ThrowsAsync<PixelBudgetExceededException>(() => request.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
    }

    /// <summary>Where nothing is pooled there is no block to cut: nobody is refused for one that is charged in vain.</summary>
    [Fact]
    public void Without_a_pool_small_images_refuse_nobody_who_fits()
    {
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 0, static options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.MaxRentedBytes = (2 * Block) + 8192;
        });
        bool isOver = false;
        Simultaneously.Run(2, thread =>
        {
            for (int i = 0; thread == 0 && i < 20_000; i++)
            {
                Assert.True(allocator.TryRent(Block / 2, 3, out PixelBuffer<byte>? image));
                image.Dispose();
            }

            while (thread == 1 && !Volatile.Read(ref isOver))
            {
                allocator.Rent<byte>(32, 32).Dispose();
            }

            Volatile.Write(ref isOver, true);
        });
        Assert.Equal(0, allocator.GetStatistics().BudgetRefusals);
    }

    private PixelAllocator Create(
        int alignment, long? budget, ArrayPool<byte>? arrays = null, int capacityInBlocks = 64, SmallBufferStrategy small = SmallBufferStrategy.Slab) => _system.CreateAllocator(
        capacityInBlocks,
        options =>
        {
            options.SmallBuffers = small;
            options.RowAlignmentBytes = alignment;
            options.MaxRentedBytes = budget;
            options.ArrayPool = arrays ?? options.ArrayPool;
        });
}

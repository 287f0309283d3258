using PixelPool.Native;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native;

/// <summary>The system has no memory for the k-th piece of an image, in every tier.</summary>
[Trait("Category", "Long")]
public sealed class AllocatorAllocationFailureTests : IDisposable
{
    private const int Capacity = 8;
    private const long Budget = 100 * TestSystem.BlockBytes;

    private readonly TestSystem _system = TestSystem.Alone();

    /// <summary>Tier, bytes of an image, pieces it takes, and which of them fails.</summary>
    public static TheoryData<Tier, int, int> EveryPlace =>
    [
        .. new[] { (Tier.Pooled, 1), (Tier.Pooled, 4), (Tier.Unpooled, 5), (Tier.Contiguous, 1), (Tier.LongRow, 1), (Tier.UnpooledContiguous, 1), (Tier.Slab, 1), (Tier.Memory, 1) }
            .SelectMany(static entry => Enumerable.Range(1, entry.Item2).Select(k => (entry.Item1, entry.Item2, k))),
    ];

    /// <summary>What is rented.</summary>
    public enum Tier
    {
        Pooled,
        Unpooled,
        Contiguous,
        LongRow,
        UnpooledContiguous,
        Slab,
        Memory,
    }

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(EveryPlace))]
    public void Failure_at_the_kth_piece_takes_nothing(Tier tier, int pieces, int k)
    {
        using PixelAllocator allocator = Create();
        using PixelBuffer<byte> held = allocator.Rent<byte>(TestSystem.BlockBytes, 2);
        PixelPoolStatistics before = allocator.GetStatistics();
        int live = _system.Source.LivePieces;
        _system.Source.MaxLivePieces = live + k - 1;
        var exception = Assert.Throws<OutOfMemoryException>(() => Rent(allocator, tier, pieces).Dispose());
        Assert.Contains(ByteSize.Format(HeldBytes(tier, pieces)), exception.Message, StringComparison.Ordinal);
        Assert.Contains($"({pieces} piece", exception.Message, StringComparison.Ordinal);
        Assert.Equal(before, allocator.GetStatistics());
        Assert.Equal(live, _system.Source.LivePieces);
        Assert.Equal(live + (OutOfMemoryRecovery.Attempts * k), _system.Source.Attempts);
        Assert.Equal(OutOfMemoryRecovery.Attempts - 1, _system.Pauses);

        _system.Source.Heal();
        using (Rent(allocator, tier, pieces))
        {
            Assert.Equal(live + pieces, _system.Source.LivePieces);
            StatisticsAssert.Balanced(allocator.GetStatistics());
        }

        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    /// <summary>Of a block that is cut the allocator holds all.</summary>
    [Theory]
    [InlineData(Tier.Pooled)]
    [InlineData(Tier.Unpooled)]
    public void Exception_says_what_is_held_in_every_tier(Tier tier)
    {
        using PixelAllocator allocator = Create();
        using IDisposable small = Rent(allocator, Tier.Slab, 1);
        using IDisposable unpooled = Rent(allocator, Tier.UnpooledContiguous, 1);
        _system.Source.FailAlways();
        var exception = Assert.Throws<OutOfMemoryException>(() => Rent(allocator, tier, 5).Dispose());
        string held = ByteSize.Format(HeldBytes(Tier.Slab, 1) + HeldBytes(Tier.UnpooledContiguous, 1));
        Assert.Contains($"this pool holds {held}. ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(EveryPlace))]
    public void Failure_charges_the_budget_with_nothing(Tier tier, int pieces, int k)
    {
        using PixelAllocator allocator = Create();
        for (int i = 0; i < 3; i++)
        {
            _system.Source.MaxLivePieces = k - 1;
            Assert.Throws<OutOfMemoryException>(() => Rent(allocator, tier, pieces).Dispose());
            Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        }

        _system.Source.Heal();
        using PixelBuffer<byte> all = allocator.Rent<byte>((int)Budget, 1, AllocationOptions.Contiguous);
        Assert.Equal(Budget, allocator.GetStatistics().RentedBytes);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(1, 1));
    }

    [Theory]
    [MemberData(nameof(EveryPlace))]
    public void Failure_that_heals_is_not_seen(Tier tier, int pieces, int k)
    {
        using PixelAllocator allocator = Create();
        _system.Source.FailAt(k);
        using IDisposable rented = Rent(allocator, tier, pieces);
        Assert.Equal(1, _system.Source.Failures);
        Assert.Equal(pieces, _system.Source.LivePieces);
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.Equal(1, allocator.GetStatistics().Rents);
    }

    [Fact]
    public void Failed_rents_leave_guards_that_serve_again()
    {
        using PixelAllocator allocator = Create();
        for (int i = 0; i < 20; i++)
        {
            _system.Source.FailNext(OutOfMemoryRecovery.Attempts);
            Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(TestSystem.BlockBytes, 3));
            using (PixelBuffer<byte> image = allocator.Rent<byte>(TestSystem.BlockBytes, 3))
            using (PixelBuffer<byte> other = allocator.Rent<byte>(TestSystem.BlockBytes, 2))
            {
                image.Fill(1);
                other.Fill(2);
                Assert.Equal((1, 2), (image[5, 2], other[5, 1]));
            }

            allocator.Trim();
        }

        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    /// <summary>Idle blocks that cannot serve leave: at once when the capacity is full, otherwise when the system has no memory.</summary>
    [Theory]
    [InlineData(6, 0)]
    [InlineData(4, 4)]
    public void Idle_memory_of_an_allocator_makes_room_for_its_own_contiguous_request(int idle, int trimmed)
    {
        using PixelAllocator allocator = Create();
        allocator.Rent<byte>(TestSystem.BlockBytes, idle).Dispose();
        _system.Source.MaxLiveBytes = 6 * TestSystem.BlockBytes;
        using PixelBuffer<byte> image = allocator.Rent<byte>(TestSystem.BlockBytes, 4, AllocationOptions.Contiguous);
        Assert.True(image.IsContiguous);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(trimmed * TestSystem.BlockBytes, statistics.TrimmedByOutOfMemoryBytes);
        Assert.Equal(4 * TestSystem.BlockBytes, statistics.ReleasedBytes);
        Assert.Equal((2, 0), (statistics.Misses, statistics.UnpooledRents));
        Assert.Equal(0, _system.Pauses);
        StatisticsAssert.Balanced(statistics);
    }

    /// <summary>512 GiB asked of a machine with 24: whatever others have idle could not help.</summary>
    [Theory]
    [InlineData(AllocationOptions.None)]
    [InlineData(AllocationOptions.Contiguous)]
    public void Request_that_can_never_fit_trims_nobody_and_waits_for_nobody(AllocationOptions options)
    {
        using PixelAllocator other = _system.CreateAllocator();
        other.Rent<byte>(TestSystem.BlockBytes, 5).Dispose();
        using PixelAllocator allocator = PixelAllocator.Create(_system.Options(Capacity));
        allocator.Rent<byte>(TestSystem.BlockBytes, 2).Dispose();
        _system.Pressure.AvailableBytes = 24L << 30;
        _system.Source.FailAlways();
        var exception = Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(1 << 30, 512, options));
        Assert.Contains("512 GiB", exception.Message, StringComparison.Ordinal);
        Assert.Contains("24 GiB", exception.Message, StringComparison.Ordinal);
        Assert.Equal((5L * TestSystem.BlockBytes, 2L * TestSystem.BlockBytes), (other.GetStatistics().IdleBytes, allocator.GetStatistics().IdleBytes));
        Assert.Equal(0, _system.Pauses);

        // What could fit is worth it, also where nobody knows how much there is.
        Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(1 << 30, 23, options));
        Assert.Equal(0, other.GetStatistics().IdleBytes);
        Assert.NotEqual(0, _system.Pauses);
    }

    [Fact]
    public void Array_pool_that_throws_leaves_everything_as_it_was()
    {
        using PixelAllocator allocator = PixelAllocator.Create(_system.Options(configure: static options =>
        {
            options.ArrayPool = new ThrowingArrayPool();
            options.MaxRentedBytes = 1024;
        }));
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(100, 1));
        Assert.Equal(before, allocator.GetStatistics());
    }

    private PixelAllocator Create() => _system.CreateAllocator(Capacity, static options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        options.MaxRentedBytes = Budget;
    });

    private static IDisposable Rent(PixelAllocator allocator, Tier tier, int pieces) => tier switch
    {
        Tier.Pooled => allocator.Rent<byte>(TestSystem.BlockBytes, pieces),
        Tier.Unpooled => allocator.Rent<byte>(TestSystem.UnpooledBytes / 2, (2 * pieces) - 1),
        Tier.Contiguous => allocator.Rent<byte>(1000, 100, AllocationOptions.Contiguous),
        Tier.LongRow => allocator.Rent<byte>(TestSystem.BlockBytes + 1, 3, AllocationOptions.Contiguous),
        Tier.UnpooledContiguous => allocator.Rent<byte>((Capacity * TestSystem.BlockBytes) + 1, 1, AllocationOptions.Contiguous),
        Tier.Slab => allocator.Rent<byte>(100, 1),
        Tier.Memory => allocator.Allocate<byte>(100_000),
        _ => throw new ArgumentOutOfRangeException(nameof(tier)),
    };

    // An exception of a slab names the block it is cut from.
    private static long HeldBytes(Tier tier, int pieces) => tier switch
    {
        Tier.Pooled => pieces * (long)TestSystem.BlockBytes,
        Tier.Unpooled => ((pieces - 1) * (long)TestSystem.UnpooledBytes) + (TestSystem.UnpooledBytes / 2),
        Tier.LongRow => 4 * TestSystem.BlockBytes,
        Tier.UnpooledContiguous => (Capacity * TestSystem.BlockBytes) + 1,
        Tier.Slab => TestSystem.BlockBytes,
        _ => 2 * TestSystem.BlockBytes,
    };
}

using System.Buffers;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>An allocator after its disposal, and the shared one, which has none.</summary>
public class DisposedAllocatorTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void A_disposed_allocator_rents_nothing(MemoryTier tier)
    {
        PixelAllocator allocator = TierSizes.Create(tier);
        MemoryPool<byte> pool = allocator.AsMemoryPool();
        using var scope = new RentScope(allocator);
        TierSizes.Rent<byte>(allocator, tier).Dispose();
        allocator.Dispose();
        allocator.Dispose();
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Throws<ObjectDisposedException>(() => TierSizes.Rent<byte>(allocator, tier));
        Assert.Throws<ObjectDisposedException>(() => allocator.TryRent<byte>(1, 1, out _));
        Assert.Throws<ObjectDisposedException>(() => allocator.Allocate<byte>(1));
        Assert.Throws<ObjectDisposedException>(() => allocator.Allocate<byte>(0));
        Assert.Throws<ObjectDisposedException>(() => allocator.AsMemoryPool().Rent(1));
        Assert.Throws<ObjectDisposedException>(() => pool.Rent());
        Assert.Throws<ObjectDisposedException>(() => scope.Rent<byte>(1, 1));
        Assert.Throws<ObjectDisposedException>(() => scope.Allocate<byte>(1));
        Assert.Equal(before, allocator.GetStatistics());
        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Buffers_outlive_their_allocator_and_their_memory_goes_to_the_system(MemoryTier tier)
    {
        var source = new FakeBlockSource(zeroed: false);
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.BlockSource = source;
        PixelAllocator allocator = PixelAllocator.Create(options);
        PixelBuffer<Rgb24> buffer = TierSizes.Rent<Rgb24>(allocator, tier);
        PixelPattern.Write(buffer);
        allocator.Dispose();
        PixelPattern.AssertHolds(buffer);
        using (PixelBuffer<Rgb24> view = buffer.View(1, 1, 5, 1))
        {
            buffer.Dispose();
            PixelPattern.AssertHolds(view, 1, 1);
        }

        Assert.Equal(0, source.LiveBytes);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(0, statistics.RentedBytes);
        Assert.Equal(0, statistics.IdleBytes);
        Assert.Equal(statistics.AllocatedBytes, statistics.ReleasedBytes);
    }

    [Fact]
    public void A_disposed_allocator_can_be_trimmed_and_asked()
    {
        PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock).Dispose();
        allocator.Dispose();
        Assert.Equal(0, allocator.Trim());
        Assert.Equal(0, allocator.TrimTo(0));
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        Assert.NotEmpty(allocator.ToString());
    }

    [Fact]
    public void The_shared_allocator_is_one_and_survives_its_disposal()
    {
        PixelAllocator shared = PixelAllocator.Shared;
        Assert.Same(shared, PixelAllocator.Shared);
        PixelBuffer<uint> held = shared.Rent<uint>(1000, 1000);
        PixelPattern.Write(held);
        shared.Dispose();
        PixelPattern.AssertHolds(held);
        held.Dispose();

        using PixelBuffer<uint> next = shared.Rent<uint>(1000, 1000, AllocationOptions.Clean);
        PixelPattern.AssertEveryByte(next, 0);
        using IMemoryOwner<byte> owner = shared.Allocate<byte>(10);
        shared.Dispose();
        Assert.Equal(10, owner.Memory.Span.Length);
    }

    [Fact]
    public void Trim_bounds_are_checked()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        Assert.Equal("idleBytes", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.TrimTo(-1)).ParamName);
        Assert.Equal(0, allocator.TrimTo(long.MaxValue));
    }
}

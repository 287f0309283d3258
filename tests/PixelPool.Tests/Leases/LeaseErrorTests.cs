using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Leases;

/// <summary>What cannot be leased fails as a rent does, and leaves nothing behind.</summary>
public class LeaseErrorTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [InlineData(0, 1, AllocationOptions.None)]
    [InlineData(-1, 1, AllocationOptions.None)]
    [InlineData(1, 0, AllocationOptions.None)]
    [InlineData(1, int.MinValue, AllocationOptions.Clean)]
    [InlineData(1, 1, (AllocationOptions)4)]
    [InlineData(1, 1, (AllocationOptions)(-1))]
    [InlineData(1 << 29, 1, AllocationOptions.None)]
    [InlineData(int.MaxValue, int.MaxValue, AllocationOptions.None)]
    [InlineData((1 << 30) + 1, 1, AllocationOptions.Contiguous)]
    [InlineData(40_000, int.MaxValue, AllocationOptions.Clean)]
    public void Sizes_and_options_are_refused_as_by_a_rent(int width, int height, AllocationOptions options)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        PixelPoolStatistics before = allocator.GetStatistics();
        AssertSame(
            Assert.ThrowsAny<Exception>(() => allocator.Rent<uint>(width, height, options)),
            Assert.ThrowsAny<Exception>(() => allocator.Lease<uint>(width, height, options)));
        Assert.Equal(before, allocator.GetStatistics());
        Assert.Equal(0, system.Source.Attempts);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void A_full_budget_refuses_a_lease_and_a_disposed_one_makes_room(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        using (PixelAllocator probe = PixelAllocator.Create(options))
        using (probe.Lease<uint>(tier))
        {
            options.MaxRentedBytes = probe.GetStatistics().RentedBytes;
        }

        if (tier == MemoryTier.Slab)
        {
            // A slab charges its whole block, once for all of its pieces.
            options.MaxRentedBytes = TierSizes.BlockBytes;
        }

        using PixelAllocator allocator = PixelAllocator.Create(options);
        for (int round = 0; round < 3; round++)
        {
            PixelLease<uint> lease = allocator.Lease<uint>(tier);
            PixelPoolStatistics before = allocator.GetStatistics();
            AssertSame(
                Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(TierSizes.UnpooledBytes * 4, 4)),
                Assert.Throws<PixelBudgetExceededException>(() => allocator.Lease<byte>(TierSizes.UnpooledBytes * 4, 4)));
            Assert.Equal(before with { BudgetRefusals = before.BudgetRefusals + 2 }, allocator.GetStatistics());
            lease.Dispose();
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void A_disposed_allocator_leases_nothing(MemoryTier tier)
    {
        PixelAllocator allocator = TierSizes.Create(tier);
        allocator.Lease<uint>(tier).Dispose();
        allocator.Dispose();
        PixelPoolStatistics before = allocator.GetStatistics();
        AssertSame(
            Assert.Throws<ObjectDisposedException>(() => TierSizes.Rent<uint>(allocator, tier)),
            Assert.Throws<ObjectDisposedException>(() => allocator.Lease<uint>(tier)));
        Assert.Equal(before, allocator.GetStatistics());
    }

    [Fact]
    public void A_system_without_memory_refuses_a_lease()
    {
        using TestSystem system = TestSystem.Alone();
        using PixelAllocator allocator = system.CreateAllocator();
        system.Source.FailAlways();
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Throws<OutOfMemoryException>(() => allocator.Lease<byte>(TestSystem.BlockBytes, 3));
        Assert.Throws<OutOfMemoryException>(() => allocator.Lease<byte>(TestSystem.BlockBytes, 3, AllocationOptions.Contiguous));
        Assert.Equal(before, allocator.GetStatistics());

        system.Source.Heal();
        allocator.Lease<byte>(TestSystem.BlockBytes, 3).Dispose();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Delegates_must_not_be_null()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelLease<uint> lease = allocator.Lease<uint>(MemoryTier.OneBlock);
        Assert.Equal("process", Assert.Throws<ArgumentNullException>(() => lease.ProcessPixelRows(null!)).ParamName);
        Assert.Equal("process", Assert.Throws<ArgumentNullException>(() => lease.ProcessPixelRows(1, null!)).ParamName);
        lease.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    private static void AssertSame(Exception ofRent, Exception ofLease)
    {
        Assert.Equal(ofRent.GetType(), ofLease.GetType());
        Assert.Equal(ofRent.Message, ofLease.Message);
        Assert.Equal((ofRent as ArgumentException)?.ParamName, (ofLease as ArgumentException)?.ParamName);
    }
}

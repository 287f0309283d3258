using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>What a rent would hold is what it holds, and what a budget is charged.</summary>
public class HeldBytesTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Said_before_charged_and_held(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.MaxRentedBytes = 1L << 40;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        (int width, int height) = TierSizes.Size<uint>(tier);
        long said = allocator.GetHeldBytes<uint>(width, height, TierSizes.Asks(tier));
        using PixelBuffer<uint> image = allocator.Rent<uint>(width, height, TierSizes.Asks(tier));
        if (tier == MemoryTier.Slab)
        {
            // Where there is no block to cut it is an array, with room beside it.
            Assert.InRange(image.HeldBytes, said / 4, said);
        }
        else
        {
            Assert.Equal(said, image.HeldBytes);
            Assert.Equal(said, allocator.GetStatistics().ChargedBytes);
        }

        using PixelBuffer<uint> view = image.View(0, 0, 1, 1);
        Assert.Equal(image.HeldBytes, view.HeldBytes);
        Assert.Equal(image.HeldBytes, image.AsLease().HeldBytes);
    }

    [Fact]
    public void Never_less_than_is_held_and_hardly_more()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.SeveralBlocks);
        options.MaxRentedBytes = 1L << 40;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        var random = new Random(12);
        long allSaid = 0;
        long allHeld = 0;
        for (int i = 0; i < 1000; i++)
        {
            int width = random.Next(1, 1 << random.Next(1, 15));
            int height = random.Next(1, 1 << random.Next(1, 9));
            AllocationOptions asked = i % 3 == 0 ? AllocationOptions.Contiguous : AllocationOptions.None;
            long said = allocator.GetHeldBytes<byte>(width, height, asked);
            using PixelBuffer<byte> image = allocator.Rent<byte>(width, height, asked);
            Assert.True(said >= image.HeldBytes, $"{width} x {height} {asked}: {said} were said, {image.HeldBytes} are held");
            allSaid += said;
            allHeld += image.HeldBytes;
        }

        Assert.InRange(allSaid, allHeld, allHeld + (allHeld / 20));
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 0)]
    public void Sizes_that_no_image_has_are_refused(int width, int height)
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        Assert.Throws<ArgumentOutOfRangeException>(() => allocator.GetHeldBytes<uint>(width, height));
        Assert.Throws<InvalidMemoryOperationException>(() => allocator.GetHeldBytes<uint>(int.MaxValue, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => allocator.GetHeldBytes<uint>(1, 1, (AllocationOptions)64));
        Assert.Equal(0, allocator.GetStatistics().Rents);
    }

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool)]
    [InlineData(SmallBufferStrategy.None)]
    public void A_scope_with_the_sum_reserved_has_room_for_all(SmallBufferStrategy small)
    {
        using var system = new TestSystem();
        PixelAllocatorOptions options = system.Options();
        options.SmallBuffers = small;
        options.MaxRentedBytes = 1L << 30;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        long bytes = allocator.GetHeldBytes<uint>(300, 300) + allocator.GetHeldBytes<byte>(300, 300, AllocationOptions.Contiguous)
            + allocator.GetHeldBytes<uint>(10, 10) + allocator.GetHeldBytes<byte>(5000, 1, AllocationOptions.Contiguous);
        using RentScope scope = allocator.ReserveScope(bytes);
        scope.Rent<uint>(300, 300);
        scope.Lease<byte>(300, 300, AllocationOptions.Contiguous);
        scope.Rent<uint>(10, 10);
        scope.Allocate<byte>(5000);
        Assert.InRange(scope.ChargedBytes, 1, bytes);
    }

    [Fact]
    public void Of_a_disposed_image_it_is_not_known()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        PixelLease<uint> lease = allocator.Lease<uint>(100, 100);
        lease.Dispose();
        Assert.Throws<ObjectDisposedException>(() => lease.HeldBytes);
        Assert.Throws<ObjectDisposedException>(() => default(PixelLease<uint>).HeldBytes);
    }
}

using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>Contiguous images are one piece, also those that fit in a block, and not in the largest piece beside a full pool.</summary>
public sealed class ContiguousOverCapacityTests : IDisposable
{
    private const int Block = 4 * TestSystem.UnpooledBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(0, Block)]
    [InlineData(0, Block + 1)]
    [InlineData(1, Block)]
    [InlineData(1, Block - 1000)]
    public void They_are_one_piece(int blocksInPool, int bytes)
    {
        using PixelAllocator allocator = Create(blocksInPool);
        using PixelBuffer<byte> first = allocator.Rent<byte>(1, bytes, AllocationOptions.Contiguous);
        using PixelBuffer<byte> second = allocator.Rent<byte>(1, bytes, AllocationOptions.Contiguous);
        using PixelLease<byte> lease = allocator.Lease<byte>(1, bytes, AllocationOptions.Contiguous);
        Assert.Equal((true, true, true), (first.IsContiguous, second.IsContiguous, lease.IsContiguous));
        second.Pin().Dispose();
        Assert.Equal(allocator.GetHeldBytes<byte>(1, bytes, AllocationOptions.Contiguous), first.HeldBytes);
    }

    [Fact]
    public void So_are_those_of_an_allocator_that_prefers_it()
    {
        using PixelAllocator allocator = Create(0, prefers: true);
        using PixelBuffer<byte> image = allocator.Rent<byte>(1, Block - 1);
        Assert.True(image.IsContiguous);
    }

    private PixelAllocator Create(int blocksInPool, bool prefers = false) => _system.CreateAllocator(configure: options =>
    {
        options.BlockBytes = Block;
        options.MaxPooledBytes = (long)blocksInPool * Block;
        options.PreferContiguousImageBuffers = prefers;
    });
}

using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>What is more than the process may use is refused before any of it is taken: a system that refuses nothing would let the process use up all its mappings.</summary>
public sealed class AbsurdSizeTests : IDisposable
{
    private const long GiB = 1L << 30;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public AbsurdSizeTests()
    {
        _system.Pressure.AvailableBytes = 2 * GiB;
        _allocator = _system.CreateAllocator();
    }

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Images() => AssertRefused("3 GiB", () => _allocator.Rent<byte>(1 << 16, 3 << 14));

    [Fact]
    public void Contiguous_images() => AssertRefused("3 GiB", () => _allocator.Lease<byte>(1 << 16, 3 << 14, AllocationOptions.Contiguous));

    [Fact]
    public void Streams() => AssertRefused("1 TiB", () => _ = new PixelPoolStream(_allocator, 1024 * GiB));

    [Fact]
    public void Streams_that_grow()
    {
        using var stream = new PixelPoolStream(_allocator);
        AssertRefused("8 TiB", () => stream.SetLength(8192 * GiB));
        Assert.Equal(0, stream.Length);
    }

    [Fact]
    public void Pools_that_may_hold_more()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(configure: static options => options.MaxPooledBytes = 1024 * GiB);
        AssertRefused("3 GiB", () => pool.TryRent(new nint[3 * (GiB / TestSystem.BlockBytes)]));
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxPooledBytes = 1024 * GiB);
        AssertRefused("3 GiB", () => allocator.Rent<byte>(1 << 16, 3 << 14));
        AssertRefused("3 GiB", () => allocator.Rent<byte>(1 << 16, 3 << 14, AllocationOptions.Contiguous));
    }

    private void AssertRefused(string size, Action rent)
    {
        long attempts = _system.Source.Attempts;
        Assert.Equal($"{size} of pixels is more than all memory that this process may use (2 GiB).", Assert.Throws<OutOfMemoryException>(rent).Message);
        Assert.Equal((attempts, 0, 0), (_system.Source.Attempts, _system.Pauses, _allocator.GetStatistics().RentedBytes));
    }
}

namespace PixelPool.Stress.ThreadScaling.Renting;

/// <summary>A <see cref="PixelLease{TPixel}"/> of an allocator with default options.</summary>
internal readonly struct LeaseRenter(RentWorkload workload) : IRenter
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create();
    private readonly int _side = workload.Side;

    public void RentAndReturn() => _allocator.Lease<uint>(_side, _side).Dispose();
}

namespace PixelPool.Stress.ThreadScaling.Renting;

/// <summary>A <see cref="PixelBuffer{TPixel}"/> of an allocator with default options.</summary>
internal readonly struct BufferRenter(RentWorkload workload) : IRenter
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create();
    private readonly int _side = workload.Side;

    public void RentAndReturn() => _allocator.Rent<uint>(_side, _side).Dispose();
}

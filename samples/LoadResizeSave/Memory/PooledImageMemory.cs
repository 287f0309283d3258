using System.Buffers;
using PixelPool;

namespace LoadResizeSave.Memory;

/// <summary>Images from a <see cref="PixelAllocator"/>, which is disposed with this.</summary>
internal sealed class PooledImageMemory(PixelAllocator allocator) : ImageMemory
{
    public override PixelAllocator? Allocator => allocator;

    public static AllocationOptions OptionsFor(PixelLayout layout) =>
        layout == PixelLayout.Contiguous ? AllocationOptions.Contiguous : AllocationOptions.None;

    public override string WayToGiveBack => "Trim()";

    public override Image<TPixel> Rent<TPixel>(int width, int height, PixelLayout layout = PixelLayout.Rows) =>
        new PooledImage<TPixel>(allocator.Rent<TPixel>(width, height, OptionsFor(layout)));

    public override IMemoryOwner<byte> RentBytes(int length) => allocator.Allocate<byte>(length);

    public override void GiveBackIdle() => allocator.Trim();

    public override void Dispose() => allocator.Dispose();
}

using System.Buffers;
using PixelPool;

namespace Imaging.Memory;

/// <summary>Images from a <see cref="PixelAllocator"/>, which is disposed with this.</summary>
public sealed class PooledImageMemory(PixelAllocator allocator) : ImageMemory
{
    /// <inheritdoc/>
    public override PixelAllocator? Allocator => allocator;

    /// <summary>What the allocator has to be asked for so that the pixels lie like that.</summary>
    public static AllocationOptions OptionsFor(PixelLayout layout) =>
        layout == PixelLayout.Contiguous ? AllocationOptions.Contiguous : AllocationOptions.None;

    /// <inheritdoc/>
    public override string WayToGiveBack => "Trim()";

    /// <inheritdoc/>
    public override Image<TPixel> Rent<TPixel>(int width, int height, PixelLayout layout = PixelLayout.Rows) =>
        new PooledImage<TPixel>(allocator.Rent<TPixel>(width, height, OptionsFor(layout)));

    /// <inheritdoc/>
    public override IMemoryOwner<byte> RentBytes(int length) => allocator.Allocate<byte>(length);

    /// <inheritdoc/>
    public override void GiveBackIdle() => allocator.Trim();

    /// <inheritdoc/>
    public override void Dispose() => allocator.Dispose();
}

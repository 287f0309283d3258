using System.Buffers;
using Imaging.Memory;
using PixelPool;

namespace ThumbnailService.Memory;

/// <summary>Images of one request. What is still rented when the request ends, or fails, goes back with the scope.</summary>
internal sealed class ScopeImageMemory(RentScope scope) : ImageMemory
{
    public override string WayToGiveBack => "Dispose()";

    public override Image<TPixel> Rent<TPixel>(int width, int height, PixelLayout layout = PixelLayout.Rows) =>
        new PooledImage<TPixel>(scope.Rent<TPixel>(width, height, PooledImageMemory.OptionsFor(layout)));

    public override IMemoryOwner<byte> RentBytes(int length) => scope.Allocate<byte>(length);

    /// <summary>Nothing: what a scope gets back is the allocator's.</summary>
    public override void GiveBackIdle()
    {
    }

    public override void Dispose() => scope.Dispose();
}

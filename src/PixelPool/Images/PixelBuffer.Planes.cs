using PixelPool.Pooling;

namespace PixelPool;

// Planes of memory that has several.
public sealed partial class PixelBuffer<TPixel>
    where TPixel : unmanaged
{
    /// <summary>A part of the memory of this buffer that is laid out otherwise. It has a reference of its own, as views have.</summary>
    /// <param name="layout">How its rows lie, counted from the start of the memory.</param>
    internal PixelBuffer<TPixel> Part(in PixelLayout layout) => Hold().ToBuffer<TPixel>(in layout);
}

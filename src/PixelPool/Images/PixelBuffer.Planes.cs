using PixelPool.Pooling;

namespace PixelPool;

// Planes of memory that has several.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>
    /// The image as a plane that has fewer rows than the others of its picture, as a buffer of its own: so <see cref="ProcessPixelRowsInParallel(PixelAccessorAction{TPixel}, int)"/> and its
    /// overloads accept it together with them. It shares the memory and keeps it alive until it is disposed, even if the image is disposed before.
    /// </summary>
    /// <param name="verticalFactor">How many rows of the picture one row of this plane belongs to: 1 to 255. 2 for the chroma planes of 4:2:0.</param>
    /// <returns>The same pixels. Planes of a <see cref="PlanarImage"/> need not be passed here: they are such planes already.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="verticalFactor"/> is not 1 to 255.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public PixelBuffer<TPixel> AsSubsampledPlane(int verticalFactor)
    {
        if (verticalFactor < 1 || verticalFactor > PixelLayout.MostRowsOfOne)
        {
            Throw.OutOfRange(nameof(verticalFactor), verticalFactor, $"{nameof(verticalFactor)} must be 1 to {PixelLayout.MostRowsOfOne}.");
        }

        PixelLayout layout = _layout.Subsample(verticalFactor);
        return Hold().ToBuffer<TPixel>(in layout);
    }

    /// <summary>A part of the memory of this buffer that is laid out otherwise. It has a reference of its own, as views have.</summary>
    /// <param name="layout">How its rows lie, counted from the start of the memory.</param>
    internal PixelBuffer<TPixel> Part(in PixelLayout layout) => Hold().ToBuffer<TPixel>(in layout);
}

namespace PixelPool;

/// <summary>Makes rows of one image from any rows of another one.</summary>
/// <typeparam name="TPixel">The type of a pixel that is written.</typeparam>
/// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
/// <param name="band">
/// The rows to write. They are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of its image the first one is. Valid until the delegate returns.
/// </param>
/// <param name="source">All rows of the image that is read, by their number in that image. Valid until the delegate returns.</param>
public delegate void PixelFilterAction<TPixel, TSource>(PixelAccessor<TPixel> band, ReadOnlyPixelAccessor<TSource> source)
    where TPixel : unmanaged
    where TSource : unmanaged;

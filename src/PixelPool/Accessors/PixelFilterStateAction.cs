namespace PixelPool;

/// <summary>Makes rows of one image from any rows of another one, with a state, so that a static lambda does and nothing is allocated.</summary>
/// <typeparam name="TPixel">The type of a pixel that is written.</typeparam>
/// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
/// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
/// <param name="band">
/// The rows to write. They are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of its image the first one is. Valid until the delegate returns.
/// </param>
/// <param name="source">All rows of the image that is read, by their number in that image. Valid until the delegate returns.</param>
/// <param name="state">What the caller passed.</param>
public delegate void PixelFilterStateAction<TPixel, TSource, TState>(PixelAccessor<TPixel> band, ReadOnlyPixelAccessor<TSource> source, TState state)
    where TPixel : unmanaged
    where TSource : unmanaged
#if NET9_0_OR_GREATER
    where TState : allows ref struct
#endif
    ;

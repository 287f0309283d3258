namespace PixelPool;

/// <summary>Computes something of the pixels of an image that is only read.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels; valid until the delegate returns.</param>
/// <returns>What was computed.</returns>
public delegate TResult ReadOnlyPixelAccessorFunc<TPixel, TResult>(ReadOnlyPixelAccessor<TPixel> accessor)
    where TPixel : unmanaged;

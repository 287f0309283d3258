namespace PixelPool;

/// <summary>Reads the pixels of an image.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <param name="accessor">The pixels; valid until the delegate returns.</param>
public delegate void ReadOnlyPixelAccessorAction<TPixel>(ReadOnlyPixelAccessor<TPixel> accessor)
    where TPixel : unmanaged;

namespace PixelPool;

/// <summary>Works on pixels that are one contiguous run.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <param name="pixels">Width × height pixels, row by row; valid until the delegate returns.</param>
public delegate void SpanAction<TPixel>(Span<TPixel> pixels)
    where TPixel : unmanaged;

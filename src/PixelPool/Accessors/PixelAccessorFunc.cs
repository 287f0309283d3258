namespace PixelPool;

/// <summary>Computes something of the pixels of one image.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels; valid until the delegate returns.</param>
/// <returns>What was computed.</returns>
public delegate TResult PixelAccessorFunc<TPixel, TResult>(PixelAccessor<TPixel> accessor)
    where TPixel : unmanaged;

/// <summary>Computes something of the pixels of two images.</summary>
/// <typeparam name="TPixel">The type of a pixel of the first image.</typeparam>
/// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels of the first image; valid until the delegate returns.</param>
/// <param name="accessor2">The pixels of the second image; valid until the delegate returns.</param>
/// <returns>What was computed.</returns>
public delegate TResult PixelAccessorFunc<TPixel, TPixel2, TResult>(PixelAccessor<TPixel> accessor, PixelAccessor<TPixel2> accessor2)
    where TPixel : unmanaged
    where TPixel2 : unmanaged;

/// <summary>Computes something of the pixels of three images.</summary>
/// <typeparam name="TPixel">The type of a pixel of the first image.</typeparam>
/// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
/// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels of the first image; valid until the delegate returns.</param>
/// <param name="accessor2">The pixels of the second image; valid until the delegate returns.</param>
/// <param name="accessor3">The pixels of the third image; valid until the delegate returns.</param>
/// <returns>What was computed.</returns>
public delegate TResult PixelAccessorFunc<TPixel, TPixel2, TPixel3, TResult>(
    PixelAccessor<TPixel> accessor, PixelAccessor<TPixel2> accessor2, PixelAccessor<TPixel3> accessor3)
    where TPixel : unmanaged
    where TPixel2 : unmanaged
    where TPixel3 : unmanaged;

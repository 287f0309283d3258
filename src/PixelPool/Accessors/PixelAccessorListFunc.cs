namespace PixelPool;

/// <summary>Computes something of the pixels of one image and of any number of others.</summary>
/// <typeparam name="TPixel">The type of a pixel of the first image.</typeparam>
/// <typeparam name="TPixel2">The type of a pixel of all others.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels of the first image; valid until the delegate returns.</param>
/// <param name="others">The pixels of the others; valid until the delegate returns.</param>
/// <returns>What was computed.</returns>
public delegate TResult PixelAccessorListFunc<TPixel, TPixel2, TResult>(PixelAccessor<TPixel> accessor, PixelAccessorList<TPixel2> others)
    where TPixel : unmanaged
    where TPixel2 : unmanaged;

/// <summary>Computes something of the pixels of one image and of any number of others with a state, so that a static lambda does.</summary>
/// <typeparam name="TPixel">The type of a pixel of the first image.</typeparam>
/// <typeparam name="TPixel2">The type of a pixel of all others.</typeparam>
/// <typeparam name="TState">The type of the state.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels of the first image; valid until the delegate returns.</param>
/// <param name="others">The pixels of the others; valid until the delegate returns.</param>
/// <param name="state">What the caller passed.</param>
/// <returns>What was computed.</returns>
public delegate TResult PixelAccessorListFunc<TPixel, TPixel2, TState, TResult>(PixelAccessor<TPixel> accessor, PixelAccessorList<TPixel2> others, TState state)
    where TPixel : unmanaged
    where TPixel2 : unmanaged;

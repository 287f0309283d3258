namespace PixelPool;

/// <summary>Works on the pixels of one image and of any number of others.</summary>
/// <typeparam name="TPixel">The type of a pixel of the first image.</typeparam>
/// <typeparam name="TPixel2">The type of a pixel of all others.</typeparam>
/// <param name="accessor">The pixels of the first image; valid until the delegate returns.</param>
/// <param name="others">The pixels of the others; valid until the delegate returns.</param>
public delegate void PixelAccessorListAction<TPixel, TPixel2>(PixelAccessor<TPixel> accessor, PixelAccessorList<TPixel2> others)
    where TPixel : unmanaged
    where TPixel2 : unmanaged;

/// <summary>Works on the pixels of one image and of any number of others with a state, so that a static lambda does.</summary>
/// <typeparam name="TPixel">The type of a pixel of the first image.</typeparam>
/// <typeparam name="TPixel2">The type of a pixel of all others.</typeparam>
/// <typeparam name="TState">The type of the state.</typeparam>
/// <param name="accessor">The pixels of the first image; valid until the delegate returns.</param>
/// <param name="others">The pixels of the others; valid until the delegate returns.</param>
/// <param name="state">What the caller passed.</param>
public delegate void PixelAccessorListAction<TPixel, TPixel2, TState>(PixelAccessor<TPixel> accessor, PixelAccessorList<TPixel2> others, TState state)
    where TPixel : unmanaged
    where TPixel2 : unmanaged;

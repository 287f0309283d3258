namespace Imaging.Memory;

/// <summary>Work on the rows of one image; a static lambda with everything it needs in <paramref name="state"/>.</summary>
public delegate void RowsAction<TPixel, TState>(PixelRows<TPixel> rows, TState state)
    where TPixel : unmanaged;

/// <summary>Work on the rows of two images at once, usually from the first into the second.</summary>
public delegate void RowsAction<TPixel, TPixel2, TState>(PixelRows<TPixel> rows, PixelRows<TPixel2> rows2, TState state)
    where TPixel : unmanaged
    where TPixel2 : unmanaged;

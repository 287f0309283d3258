namespace Imaging.Memory;

/// <summary>Work on the rows of one image; a static lambda with everything it needs in <paramref name="state"/>.</summary>
public delegate void RowsAction<TPixel, TState>(PixelRows<TPixel> rows, TState state)
    where TPixel : unmanaged;

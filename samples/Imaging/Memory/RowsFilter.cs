namespace Imaging.Memory;

/// <summary>Makes the rows of an image from any rows of another one; a static lambda with everything it needs in <paramref name="state"/>.</summary>
public delegate void RowsFilter<TPixel, TSource, TState>(PixelRows<TPixel> rows, ReadOnlyPixelRows<TSource> source, TState state)
    where TPixel : unmanaged
    where TSource : unmanaged;

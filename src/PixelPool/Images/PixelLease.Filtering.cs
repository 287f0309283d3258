namespace PixelPool;

// Rows that are made from any rows of another image.
public readonly partial struct PixelLease<TPixel>
{
    /// <summary>Makes the rows of this image from any rows of another one, on this thread: a filter that looks at neighbour rows, a resize, a rotation.</summary>
    /// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
    /// <param name="source">What is read. Its size and its pixels may differ from those of this image. Nothing is copied.</param>
    /// <param name="filter">Receives all rows of this image as one band, and all rows of <paramref name="source"/>. The memory of both stays valid until it returns.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="source"/> shares pixels with this image: rows would be read after they were overwritten. Views of one image that do not overlap may be passed. Memory that was wrapped
    /// twice (<c>PixelAllocator.Wrap</c>) is not recognized.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="filter"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the leases was disposed before the call, or never rented.</exception>
    public void FilterPixelRows<TSource>(PixelLease<TSource> source, PixelFilterAction<TPixel, TSource> filter)
        where TSource : unmanaged
    {
        Throw.IfNull(filter, nameof(filter));
        FilterPixelRows(source, filter, static (band, source, filter) => filter(band, source));
    }

    /// <summary>
    /// Makes the rows of this image from any rows of another one, with a state, on this thread: a filter that looks at neighbour rows, a resize, a rotation. With a static lambda nothing is
    /// allocated.
    /// </summary>
    /// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <param name="source">What is read. Its size and its pixels may differ from those of this image. Nothing is copied.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="filter">Receives all rows of this image as one band, and all rows of <paramref name="source"/>. The memory of both stays valid until it returns.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="source"/> shares pixels with this image: rows would be read after they were overwritten. Views of one image that do not overlap may be passed. Memory that was wrapped
    /// twice (<c>PixelAllocator.Wrap</c>) is not recognized.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="filter"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the leases was disposed before the call, or never rented.</exception>
    public void FilterPixelRows<TSource, TState>(PixelLease<TSource> source, TState state, PixelFilterStateAction<TPixel, TSource, TState> filter)
        where TSource : unmanaged
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        Throw.IfNull(filter, nameof(filter));
        using PixelReference target = Hold();
        using PixelReference read = source.Hold();
        CheckFilterSource(in source);
        filter(target.Access<TPixel>(), new(read.Access<TSource>()), state);
    }

    /// <exception cref="ArgumentException">Some pixels are in both.</exception>
    internal unsafe void CheckFilterSource<TSource>(in PixelLease<TSource> source)
        where TSource : unmanaged
    {
        if (source._guard == _guard
            && Overlap(_layout.FirstRow, Height, source._layout.FirstRow, source.Height)
            && Overlap(_layout.ColumnBytes, Width * sizeof(TPixel), source._layout.ColumnBytes, source.Width * sizeof(TSource)))
        {
            Throw.Argument("The source shares pixels with the image that is written: rows would be read after they were overwritten. Write to another image.", nameof(source));
        }
    }

    private static bool Overlap(int start, int length, int otherStart, int otherLength) =>
        start < (long)otherStart + otherLength && otherStart < (long)start + length;
}

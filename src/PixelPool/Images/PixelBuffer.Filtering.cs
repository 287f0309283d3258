namespace PixelPool;

// Rows that are made from any rows of another image, or of one that is only read.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>Makes the rows of this image from any rows of another one, on this thread: a filter that looks at neighbour rows, a resize, a rotation.</summary>
    /// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
    /// <param name="source">What is read. Its size and its pixels may differ from those of this image. Nothing is copied.</param>
    /// <param name="filter">Receives all rows of this image as one band, and all rows of <paramref name="source"/>. The memory of both stays valid until it returns.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="source"/> shares pixels with this image: rows would be read after they were overwritten. Views of one image that do not overlap may be passed. Memory that was wrapped
    /// twice (<c>PixelAllocator.Wrap</c>) is not recognized.
    /// </exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void FilterPixelRows<TSource>(PixelBuffer<TSource> source, PixelFilterAction<TPixel, TSource> filter)
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
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void FilterPixelRows<TSource, TState>(PixelBuffer<TSource> source, TState state, PixelFilterStateAction<TPixel, TSource, TState> filter)
        where TSource : unmanaged
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        Throw.IfNull(source, nameof(source));
        AsLease().FilterPixelRows(source.AsLease(), state, filter);
    }

    /// <summary>Makes the rows of this image from any rows of another one, in bands on several threads at once. Returns when all rows were made.</summary>
    /// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
    /// <param name="source">What is read. Its size and its pixels may differ from those of this image. Nothing is copied.</param>
    /// <param name="filter">
    /// Receives a band of rows of this image, and all rows of <paramref name="source"/>. The band's rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of
    /// this image its first row is. Every row of this image is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">
    /// <paramref name="source"/> shares pixels with this image: rows would be read after they were overwritten. Views of one image that do not overlap may be passed. Memory that was wrapped
    /// twice (<c>PixelAllocator.Wrap</c>) is not recognized.
    /// </exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void FilterPixelRowsInParallel<TSource>(
        PixelBuffer<TSource> source, PixelFilterAction<TPixel, TSource> filter, int maxDegreeOfParallelism = -1, CancellationToken cancellationToken = default)
        where TSource : unmanaged
    {
        Throw.IfNull(filter, nameof(filter));
        FilterPixelRowsInParallel(source, filter, static (band, source, filter) => filter(band, source), maxDegreeOfParallelism, cancellationToken);
    }

    /// <summary>Makes the rows of this image from any rows of another one, with a state, in bands on several threads at once. Returns when all rows were made.</summary>
    /// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <param name="source">What is read. Its size and its pixels may differ from those of this image. Nothing is copied.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="filter">
    /// Receives a band of rows of this image, and all rows of <paramref name="source"/>. The band's rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of
    /// this image its first row is. Every row of this image is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">
    /// <paramref name="source"/> shares pixels with this image: rows would be read after they were overwritten. Views of one image that do not overlap may be passed. Memory that was wrapped
    /// twice (<c>PixelAllocator.Wrap</c>) is not recognized.
    /// </exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void FilterPixelRowsInParallel<TSource, TState>(
        PixelBuffer<TSource> source,
        TState state,
        PixelFilterStateAction<TPixel, TSource, TState> filter,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default)
        where TSource : unmanaged
    {
        Throw.IfNull(source, nameof(source));
        Throw.IfNull(filter, nameof(filter));
        AsLease().CheckFilterSource(source.AsLease());
        using PixelReference read = source.Hold();
        PixelReference shared = read;
        new RowBands(filter, maxDegreeOfParallelism, cancellationToken).Process([this], images =>
        {
            // With a reference of its own, as the band has: an interrupt ends the caller's.
            if (shared.TryAcquire())
            {
                using PixelReference held = shared;
                filter(images[0].Access<TPixel>(), new(held.Access<TSource>()), state);
            }
        });
    }

    /// <summary>Makes the rows of this image from any rows of one that is only read, on this thread: a filter that looks at neighbour rows, a resize, a rotation.</summary>
    /// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
    /// <param name="source">What is read. Its size and its pixels may differ from those of this image. Nothing is copied.</param>
    /// <param name="filter">Receives all rows of this image as one band, and all rows of <paramref name="source"/>. The memory of both stays valid until it returns.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="source"/> shares pixels with this image: rows would be read after they were overwritten. Views of one image that do not overlap may be passed. Memory that was wrapped
    /// twice (<c>PixelAllocator.Wrap</c>) is not recognized.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="filter"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void FilterPixelRows<TSource>(ReadOnlyPixelBuffer<TSource> source, PixelFilterAction<TPixel, TSource> filter)
        where TSource : unmanaged =>
        FilterPixelRows(source.Pixels, filter);

    /// <summary>
    /// Makes the rows of this image from any rows of one that is only read, with a state, on this thread: a filter that looks at neighbour rows, a resize, a rotation. With a static lambda nothing is
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
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void FilterPixelRows<TSource, TState>(ReadOnlyPixelBuffer<TSource> source, TState state, PixelFilterStateAction<TPixel, TSource, TState> filter)
        where TSource : unmanaged
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        FilterPixelRows(source.Pixels, state, filter);
    }

    /// <summary>Makes the rows of this image from any rows of one that is only read, in bands on several threads at once. Returns when all rows were made.</summary>
    /// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
    /// <param name="source">What is read. Its size and its pixels may differ from those of this image. Nothing is copied.</param>
    /// <param name="filter">
    /// Receives a band of rows of this image, and all rows of <paramref name="source"/>. The band's rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of
    /// this image its first row is. Every row of this image is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">
    /// <paramref name="source"/> shares pixels with this image: rows would be read after they were overwritten. Views of one image that do not overlap may be passed. Memory that was wrapped
    /// twice (<c>PixelAllocator.Wrap</c>) is not recognized.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="filter"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void FilterPixelRowsInParallel<TSource>(
        ReadOnlyPixelBuffer<TSource> source, PixelFilterAction<TPixel, TSource> filter, int maxDegreeOfParallelism = -1, CancellationToken cancellationToken = default)
        where TSource : unmanaged =>
        FilterPixelRowsInParallel(source.Pixels, filter, maxDegreeOfParallelism, cancellationToken);

    /// <summary>Makes the rows of this image from any rows of one that is only read, with a state, in bands on several threads at once. Returns when all rows were made.</summary>
    /// <typeparam name="TSource">The type of a pixel that is read.</typeparam>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <param name="source">What is read. Its size and its pixels may differ from those of this image. Nothing is copied.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="filter">
    /// Receives a band of rows of this image, and all rows of <paramref name="source"/>. The band's rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of
    /// this image its first row is. Every row of this image is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">
    /// <paramref name="source"/> shares pixels with this image: rows would be read after they were overwritten. Views of one image that do not overlap may be passed. Memory that was wrapped
    /// twice (<c>PixelAllocator.Wrap</c>) is not recognized.
    /// </exception>
    /// <exception cref="ArgumentNullException"><paramref name="filter"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void FilterPixelRowsInParallel<TSource, TState>(
        ReadOnlyPixelBuffer<TSource> source,
        TState state,
        PixelFilterStateAction<TPixel, TSource, TState> filter,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default)
        where TSource : unmanaged =>
        FilterPixelRowsInParallel(source.Pixels, state, filter, maxDegreeOfParallelism, cancellationToken);
}

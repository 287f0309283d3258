using System.Runtime.CompilerServices;

namespace PixelPool;

// Results of bands of whole rows on several threads: sums, histograms, extremes.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>Computes something of bands of whole rows, on several threads at once. Returns when all rows were processed.</summary>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="process">
    /// Receives a band. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="combine">Makes one result of two; called on this thread, in the order of the rows, when all bands are processed. If it throws, the call throws the same exception.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <returns>The combined result. How many bands there are depends on the number of processors.</returns>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public TResult ProcessPixelRowsInParallel<TResult>(
        PixelAccessorFunc<TPixel, TResult> process,
        Func<TResult, TResult, TResult> combine,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default) =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this], images => process(images[0].Access<TPixel>()), combine);

    /// <summary>Computes something of bands of whole rows of two images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="combine">Makes one result of two; called on this thread, in the order of the rows, when all bands are processed. If it throws, the call throws the same exception.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <returns>The combined result. How many bands there are depends on the number of processors.</returns>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public TResult ProcessPixelRowsInParallel<TPixel2, TResult>(
        PixelBuffer<TPixel2> other,
        PixelAccessorFunc<TPixel, TPixel2, TResult> process,
        Func<TResult, TResult, TResult> combine,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        return ProcessPixelRowsInParallel(other, process, static (first, second, func) => func(first, second), combine, maxDegreeOfParallelism, cancellationToken);
    }

    /// <summary>Computes something of bands of whole rows of three images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="third">The third image.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="combine">Makes one result of two; called on this thread, in the order of the rows, when all bands are processed. If it throws, the call throws the same exception.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <returns>The combined result. How many bands there are depends on the number of processors.</returns>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public TResult ProcessPixelRowsInParallel<TPixel2, TPixel3, TResult>(
        PixelBuffer<TPixel2> other,
        PixelBuffer<TPixel3> third,
        PixelAccessorFunc<TPixel, TPixel2, TPixel3, TResult> process,
        Func<TResult, TResult, TResult> combine,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        return ProcessPixelRowsInParallel(other, third, process, static (first, second, last, func) => func(first, second, last), combine, maxDegreeOfParallelism, cancellationToken);
    }

    /// <summary>Computes something of bands of whole rows, on several threads at once. Returns when all rows were processed.</summary>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="combine">Makes one result of two; called on this thread, in the order of the rows, when all bands are processed. If it throws, the call throws the same exception.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <returns>The combined result. How many bands there are depends on the number of processors.</returns>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public TResult ProcessPixelRowsInParallel<TState, TResult>(
        TState state, PixelAccessorStateFunc<TPixel, TState, TResult> process, Func<TResult, TResult, TResult> combine, int maxDegreeOfParallelism = -1, CancellationToken cancellationToken = default) =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this], images => process(images[0].Access<TPixel>(), state), combine);

    /// <summary>Computes something of bands of whole rows of two images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="combine">Makes one result of two; called on this thread, in the order of the rows, when all bands are processed. If it throws, the call throws the same exception.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <returns>The combined result. How many bands there are depends on the number of processors.</returns>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    public TResult ProcessPixelRowsInParallel<TPixel2, TState, TResult>(
        PixelBuffer<TPixel2> other, TState state, PixelAccessorStateFunc<TPixel, TPixel2, TState, TResult> process, Func<TResult, TResult, TResult> combine, int maxDegreeOfParallelism = -1, CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged
    {
        Throw.IfNull(other, nameof(other));
        return new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process(
            [this, other], images => process(images[0].Access<TPixel>(), images[1].Access<TPixel2>(), state), combine);
    }

    /// <summary>Computes something of bands of whole rows of three images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="third">The third image.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="combine">Makes one result of two; called on this thread, in the order of the rows, when all bands are processed. If it throws, the call throws the same exception.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <returns>The combined result. How many bands there are depends on the number of processors.</returns>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    public TResult ProcessPixelRowsInParallel<TPixel2, TPixel3, TState, TResult>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, TState state, PixelAccessorStateFunc<TPixel, TPixel2, TPixel3, TState, TResult> process, Func<TResult, TResult, TResult> combine, int maxDegreeOfParallelism = -1, CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged
    {
        Throw.IfNull(other, nameof(other));
        Throw.IfNull(third, nameof(third));
        return new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process(
            [this, other, third], images => process(images[0].Access<TPixel>(), images[1].Access<TPixel2>(), images[2].Access<TPixel3>(), state), combine);
    }

    /// <summary>Computes something of bands of whole rows of one image and of any number of others, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the others.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="others">The others; any of them may be this one again.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="combine">Makes one result of two; called on this thread, in the order of the rows, when all bands are processed. If it throws, the call throws the same exception.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <returns>The combined result. How many bands there are depends on the number of processors.</returns>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together, or one of the others is null.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public TResult ProcessPixelRowsInParallel<TPixel2, TResult>(
        ReadOnlySpan<PixelBuffer<TPixel2>> others,
        PixelAccessorListFunc<TPixel, TPixel2, TResult> process,
        Func<TResult, TResult, TResult> combine,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this, .. others], images => process(images[0].Access<TPixel>(), new(images.AsSpan(1))), combine);

    /// <summary>Computes something of bands of whole rows of one image and of any number of others, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the others.</typeparam>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="others">The others; any of them may be this one again.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="combine">Makes one result of two; called on this thread, in the order of the rows, when all bands are processed. If it throws, the call throws the same exception.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <returns>The combined result. How many bands there are depends on the number of processors.</returns>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together, or one of the others is null.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    public TResult ProcessPixelRowsInParallel<TPixel2, TState, TResult>(
        ReadOnlySpan<PixelBuffer<TPixel2>> others,
        TState state,
        PixelAccessorListFunc<TPixel, TPixel2, TState, TResult> process,
        Func<TResult, TResult, TResult> combine,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this, .. others], images => process(images[0].Access<TPixel>(), new(images.AsSpan(1)), state), combine);
}

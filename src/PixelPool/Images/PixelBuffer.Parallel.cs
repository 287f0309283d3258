using System.Runtime.CompilerServices;

namespace PixelPool;

// Bands of whole rows on several threads.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>Calls a delegate for bands of whole rows, on several threads at once. Returns when all rows were processed.</summary>
    /// <param name="process">
    /// Receives a band. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRowsInParallel(PixelAccessorAction<TPixel> process, int maxDegreeOfParallelism = -1) =>
        ProcessPixelRowsInParallel(process, maxDegreeOfParallelism, CancellationToken.None);

    /// <summary>Calls a delegate for bands of whole rows, on several threads at once. Returns when all rows were processed.</summary>
    /// <param name="process">
    /// Receives a band. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. −1 is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRowsInParallel(PixelAccessorAction<TPixel> process, int maxDegreeOfParallelism, CancellationToken cancellationToken) =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this], images => process(images[0].Access<TPixel>()));

    /// <summary>Calls a delegate for bands of whole rows, on several threads at once. Returns when all rows were processed.</summary>
    /// <param name="process">
    /// Receives a band. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRowsInParallel(PixelAccessorAction<TPixel> process, CancellationToken cancellationToken) =>
        ProcessPixelRowsInParallel(process, maxDegreeOfParallelism: -1, cancellationToken);

    /// <summary>Calls a delegate with a state for bands of whole rows, on several threads at once. Returns when all rows were processed.</summary>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is
    /// in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRowsInParallel<TState>(
        TState state, PixelAccessorStateAction<TPixel, TState> process, int maxDegreeOfParallelism = -1, CancellationToken cancellationToken = default) =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this], images => process(images[0].Access<TPixel>(), state));

    /// <summary>Calls a delegate for bands of whole rows of two images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public void ProcessPixelRowsInParallel<TPixel2>(
        PixelBuffer<TPixel2> other, PixelAccessorAction<TPixel, TPixel2> process, int maxDegreeOfParallelism = -1)
        where TPixel2 : unmanaged =>
        ProcessPixelRowsInParallel(other, process, maxDegreeOfParallelism, CancellationToken.None);

    /// <summary>Calls a delegate for bands of whole rows of two images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. −1 is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
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
    public void ProcessPixelRowsInParallel<TPixel2>(
        PixelBuffer<TPixel2> other, PixelAccessorAction<TPixel, TPixel2> process, int maxDegreeOfParallelism, CancellationToken cancellationToken)
        where TPixel2 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        ProcessPixelRowsInParallel(other, process, static (first, second, action) => action(first, second), maxDegreeOfParallelism, cancellationToken);
    }

    /// <summary>Calls a delegate for bands of whole rows of two images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public void ProcessPixelRowsInParallel<TPixel2>(
        PixelBuffer<TPixel2> other, PixelAccessorAction<TPixel, TPixel2> process, CancellationToken cancellationToken)
        where TPixel2 : unmanaged =>
        ProcessPixelRowsInParallel(other, process, maxDegreeOfParallelism: -1, cancellationToken);

    /// <summary>
    /// Calls a delegate with a state for bands of whole rows of two images, on several threads at once. Returns when all rows were processed.
    /// </summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
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
    public void ProcessPixelRowsInParallel<TPixel2, TState>(
        PixelBuffer<TPixel2> other, TState state, PixelAccessorStateAction<TPixel, TPixel2, TState> process, int maxDegreeOfParallelism = -1, CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged
    {
        Throw.IfNull(other, nameof(other));
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this, other], images => process(images[0].Access<TPixel>(), images[1].Access<TPixel2>(), state));
    }

    /// <summary>Calls a delegate for bands of whole rows of three images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="third">The third image.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public void ProcessPixelRowsInParallel<TPixel2, TPixel3>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, PixelAccessorAction<TPixel, TPixel2, TPixel3> process, int maxDegreeOfParallelism = -1)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged =>
        ProcessPixelRowsInParallel(other, third, process, maxDegreeOfParallelism, CancellationToken.None);

    /// <summary>Calls a delegate for bands of whole rows of three images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="third">The third image.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. −1 is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
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
    public void ProcessPixelRowsInParallel<TPixel2, TPixel3>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, PixelAccessorAction<TPixel, TPixel2, TPixel3> process, int maxDegreeOfParallelism, CancellationToken cancellationToken)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        ProcessPixelRowsInParallel(other, third, process, static (a, b, c, action) => action(a, b, c), maxDegreeOfParallelism, cancellationToken);
    }

    /// <summary>Calls a delegate for bands of whole rows of three images, on several threads at once. Returns when all rows were processed.</summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="third">The third image.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together.</exception>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public void ProcessPixelRowsInParallel<TPixel2, TPixel3>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, PixelAccessorAction<TPixel, TPixel2, TPixel3> process, CancellationToken cancellationToken)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged =>
        ProcessPixelRowsInParallel(other, third, process, maxDegreeOfParallelism: -1, cancellationToken);

    /// <summary>
    /// Calls a delegate with a state for bands of whole rows of three images, on several threads at once. Returns when all rows were processed.
    /// </summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <param name="other">The second image; it may be this one again.</param>
    /// <param name="third">The third image.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
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
    public void ProcessPixelRowsInParallel<TPixel2, TPixel3, TState>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, TState state, PixelAccessorStateAction<TPixel, TPixel2, TPixel3, TState> process, int maxDegreeOfParallelism = -1, CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged
    {
        Throw.IfNull(other, nameof(other));
        Throw.IfNull(third, nameof(third));
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process(
            [this, other, third], images => process(images[0].Access<TPixel>(), images[1].Access<TPixel2>(), images[2].Access<TPixel3>(), state));
    }
}

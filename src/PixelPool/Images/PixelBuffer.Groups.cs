using System.Runtime.CompilerServices;

namespace PixelPool;

// Delegates over an image and any number of others: planes, frames, layers.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>Calls a delegate with the pixels of this image and of any number of others, on this thread. Allocates one small array.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the others.</typeparam>
    /// <param name="others">The others; any of them may be this one again, and their sizes may differ.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <exception cref="ArgumentException">One of the others is null.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public void ProcessPixelRows<TPixel2>(
        ReadOnlySpan<PixelBuffer<TPixel2>> others, PixelAccessorListAction<TPixel, TPixel2> process)
        where TPixel2 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        ProcessPixelRows(others, process, static (accessor, others, action) => action(accessor, others));
    }

    /// <summary>Calls a delegate with the pixels of this image and of any number of others and a state, on this thread. Allocates one small array.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the others.</typeparam>
    /// <typeparam name="TState">The type of the state.</typeparam>
    /// <param name="others">The others; any of them may be this one again, and their sizes may differ.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <exception cref="ArgumentException">One of the others is null.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void ProcessPixelRows<TPixel2, TState>(
        ReadOnlySpan<PixelBuffer<TPixel2>> others, TState state, PixelAccessorListAction<TPixel, TPixel2, TState> process)
        where TPixel2 : unmanaged
    {
        using PixelReference pixels = HoldFor(process);
        using PixelReferences held = PixelReferences.Hold(others);
        process(pixels.Access<TPixel>(), new PixelAccessorList<TPixel2>(held.References), state);
    }

    /// <summary>
    /// Calls a delegate for bands of whole rows of an image and any number of others, on several threads at once. Returns when all rows were
    /// processed.
    /// </summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the others.</typeparam>
    /// <param name="others">The others; any of them may be this one again.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together, or one of the others is null.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public void ProcessPixelRowsInParallel<TPixel2>(
        ReadOnlySpan<PixelBuffer<TPixel2>> others,
        PixelAccessorListAction<TPixel, TPixel2> process,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this, .. others], images => process(images[0].Access<TPixel>(), new(images.AsSpan(1))));

    /// <summary>
    /// Calls a delegate with a state for bands of whole rows of an image and any number of others, on several threads at once. Returns when all rows were
    /// processed.
    /// </summary>
    /// <remarks>
    /// The images must have the same height. Chroma planes may have fewer rows if they say so (<see cref="AsSubsampledPlane"/>; the planes of a
    /// <see cref="PlanarImage"/> do). Then a band holds the rows that belong together.
    /// </remarks>
    /// <typeparam name="TPixel2">The type of a pixel of the others.</typeparam>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <param name="others">The others; any of them may be this one again.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band of each image. Its rows are counted from 0; <see cref="PixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is.
    /// Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once. Default: −1, which is one per processor.</param>
    /// <param name="cancellationToken">Cancels the call. Bands that have not started yet are skipped.</param>
    /// <exception cref="AggregateException">A delegate threw. Bands that had not started yet were skipped.</exception>
    /// <exception cref="ArgumentException">The heights of the images do not belong together, or one of the others is null.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band
    /// starts. Exceptions that they throw are lost.
    /// </exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed before the call.</exception>
    public void ProcessPixelRowsInParallel<TPixel2, TState>(
        ReadOnlySpan<PixelBuffer<TPixel2>> others,
        TState state,
        PixelAccessorListAction<TPixel, TPixel2, TState> process,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default)
        where TPixel2 : unmanaged =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([this, .. others], images => process(images[0].Access<TPixel>(), new(images.AsSpan(1)), state));
}

namespace PixelPool;

// Delegates that read, on the caller's thread and on several.
public readonly partial struct ReadOnlyPixelBuffer<TPixel>
{
    /// <summary>Calls a delegate with the pixels, on this thread.</summary>
    /// <param name="process">Receives the pixels. The memory stays valid until it returns, even if the image is disposed.</param>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRows(ReadOnlyPixelAccessorAction<TPixel> process)
    {
        using PixelReference pixels = Pixels.HoldFor(process);
        process(new(pixels.Access<TPixel>()));
    }

    /// <summary>Calls a delegate with the pixels and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory stays valid until it returns, even if the image is disposed.</param>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRows<TState>(TState state, ReadOnlyPixelAccessorStateAction<TPixel, TState> process)
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        using PixelReference pixels = Pixels.HoldFor(process);
        process(new(pixels.Access<TPixel>()), state);
    }

    /// <summary>Computes something of the pixels, on this thread.</summary>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="process">Receives the pixels. The memory stays valid until it returns, even if the image is disposed.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public TResult ProcessPixelRows<TResult>(ReadOnlyPixelAccessorFunc<TPixel, TResult> process)
    {
        using PixelReference pixels = Pixels.HoldFor(process);
        return process(new(pixels.Access<TPixel>()));
    }

    /// <summary>Computes something of the pixels and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory stays valid until it returns, even if the image is disposed.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public TResult ProcessPixelRows<TState, TResult>(TState state, ReadOnlyPixelAccessorStateFunc<TPixel, TState, TResult> process)
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        using PixelReference pixels = Pixels.HoldFor(process);
        return process(new(pixels.Access<TPixel>()), state);
    }

    /// <summary>Computes something of bands of whole rows, on several threads at once. Returns when all rows were processed.</summary>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="process">
    /// Receives a band. Its rows are counted from 0; <see cref="ReadOnlyPixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is in exactly one band.
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
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band starts.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public TResult ProcessPixelRowsInParallel<TResult>(
        ReadOnlyPixelAccessorFunc<TPixel, TResult> process,
        Func<TResult, TResult, TResult> combine,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default) =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([Pixels], images => process(new(images[0].Access<TPixel>())), combine);

    /// <summary>Computes something of bands of whole rows with a state, on several threads at once. Returns when all rows were processed.</summary>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Receives a band. Its rows are counted from 0; <see cref="ReadOnlyPixelAccessor{TPixel}.FirstRow"/> tells which row of the image its first row is. Every row is in exactly one band.
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
    /// The thread was interrupted while it waited for the others. Bands that had started run to their end, and hold the memory until then. No other band starts.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public TResult ProcessPixelRowsInParallel<TState, TResult>(
        TState state,
        ReadOnlyPixelAccessorStateFunc<TPixel, TState, TResult> process,
        Func<TResult, TResult, TResult> combine,
        int maxDegreeOfParallelism = -1,
        CancellationToken cancellationToken = default) =>
        new RowBands(process, maxDegreeOfParallelism, cancellationToken).Process([Pixels], images => process(new(images[0].Access<TPixel>()), state), combine);
}

using PixelPool.Pooling;

namespace PixelPool;

/// <content>Bands of whole rows on several threads.</content>
public sealed partial class PixelBuffer<TPixel>
    where TPixel : unmanaged
{
    // More bands than threads, so that a thread that got slow rows does not leave the others waiting.
    private const int BandsPerThread = 4;

    /// <summary>Calls a delegate for bands of whole rows, on several threads at once; returns when all rows were processed.</summary>
    /// <param name="process">
    /// Gets a band: rows count from its first one, <see cref="PixelAccessor{TPixel}.FirstRow"/> says which row of the image that is. Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once; −1 for one per processor.</param>
    /// <exception cref="AggregateException">A delegate threw; bands that had not started then are left out.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run on to their end, and hold the memory until then; no other one starts.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRowsInParallel(PixelAccessorAction<TPixel> process, int maxDegreeOfParallelism = -1)
    {
        Throw.IfNull(process, nameof(process));
        ProcessPixelRowsInParallel(process, static (accessor, action) => action(accessor), maxDegreeOfParallelism);
    }

    /// <summary>Calls a delegate with a state for bands of whole rows, on several threads at once; returns when all rows were processed.</summary>
    /// <typeparam name="TState">The type of the state, which all threads share.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">
    /// Gets a band: rows count from its first one, <see cref="PixelAccessor{TPixel}.FirstRow"/> says which row of the image that is. Every row is in exactly one band.
    /// </param>
    /// <param name="maxDegreeOfParallelism">The most threads at once; −1 for one per processor.</param>
    /// <exception cref="AggregateException">A delegate threw; bands that had not started then are left out.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxDegreeOfParallelism"/> is 0 or less than −1.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The thread was interrupted while it waited for the others. Bands that had started run on to their end, and hold the memory until then; no other one starts.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRowsInParallel<TState>(
        TState state, PixelAccessorStateAction<TPixel, TState> process, int maxDegreeOfParallelism = -1)
    {
        Throw.IfNull(process, nameof(process));
        if (maxDegreeOfParallelism is 0 or < -1)
        {
            Throw.OutOfRange(nameof(maxDegreeOfParallelism), maxDegreeOfParallelism, "The degree of parallelism must be at least 1, or -1.");
        }

        int threads = maxDegreeOfParallelism == -1 ? Environment.ProcessorCount : maxDegreeOfParallelism;
        int bands = (int)Math.Min(Height, (long)threads * BandsPerThread);
        bool left = false;
        Acquire();
        try
        {
            Parallel.For(0, bands, new ParallelOptions { MaxDegreeOfParallelism = threads }, band =>
            {
                // A reference of its own: an interrupt ends the loop at once, and this call with it, while other threads still work on their bands.
                if (Volatile.Read(ref left) || !_guard.TryAcquire(_version))
                {
                    return;
                }

                try
                {
                    int first = (int)((long)Height * band / bands);
                    int end = (int)((long)Height * (band + 1) / bands);
                    PixelLayout layout = _layout.Cut(columnBytes: 0, first, Width, end - first);
                    process(new PixelAccessor<TPixel>(_guard, in layout, first), state);
                }
                finally
                {
                    Release();
                }
            });
        }
        finally
        {
            Volatile.Write(ref left, true);
            Release();
        }
    }
}

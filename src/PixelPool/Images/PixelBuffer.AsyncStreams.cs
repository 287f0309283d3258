using System.Runtime.CompilerServices;

namespace PixelPool;

// Raw pixel bytes in and out of streams, without a thread that is blocked.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>
    /// Reads the bytes of all pixels from a stream, row by row without gaps, such as the body of a request. The memory stays valid until the task ends, even if
    /// the buffer is disposed meanwhile.
    /// </summary>
    /// <remarks>Where rows have gaps between them, each row is one call of the stream. Use a <see cref="BufferedStream"/> then.</remarks>
    /// <param name="source">Read for exactly width × height pixels.</param>
    /// <param name="cancellationToken">Cancels the reading. The pixels read so far are in the image.</param>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="EndOfStreamException">
    /// The stream ended before all pixels were read. The message has the bytes that came, and how many were expected. The pixels read so far are in the image.
    /// </exception>
    /// <exception cref="IOException">The stream claims to have read more bytes than it was asked for.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public ValueTask ReadFromAsync(Stream source, CancellationToken cancellationToken = default)
    {
        Throw.IfNull(source, nameof(source));
        return ReadRunsAsync(AsLease().AsBuffer(), source, cancellationToken);
    }

    /// <summary>
    /// Writes the bytes of all pixels to a stream, row by row without gaps, such as the body of a response. The memory stays valid until the task ends, even if
    /// the buffer is disposed meanwhile.
    /// </summary>
    /// <remarks>Where rows have gaps between them, each row is one call of the stream. Use a <see cref="BufferedStream"/> then.</remarks>
    /// <param name="destination">Receives width × height pixels.</param>
    /// <param name="cancellationToken">Cancels the writing.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public ValueTask WriteToAsync(Stream destination, CancellationToken cancellationToken = default)
    {
        Throw.IfNull(destination, nameof(destination));
        return WriteRunsAsync(AsLease().AsBuffer(), destination, cancellationToken);
    }

    // The pixels are a view of its own, which it disposes.
    private static async ValueTask ReadRunsAsync(PixelBuffer<TPixel> held, Stream source, CancellationToken cancellationToken)
    {
        using PixelBuffer<TPixel> pixels = held;
        long readBytes = 0;
        foreach (Memory<byte> run in pixels.Runs())
        {
            Memory<byte> missing = run;
            while (!missing.IsEmpty)
            {
                int count = await source.ReadAsync(missing, cancellationToken).ConfigureAwait(false);
                Throw.IfNotRead(count, missing.Length, readBytes, (long)pixels.Height * pixels.Width * Unsafe.SizeOf<TPixel>());
                readBytes += count;
                missing = missing.Slice(count);
            }
        }
    }

    private static async ValueTask WriteRunsAsync(PixelBuffer<TPixel> held, Stream destination, CancellationToken cancellationToken)
    {
        using PixelBuffer<TPixel> pixels = held;
        foreach (Memory<byte> run in pixels.Runs())
        {
            await destination.WriteAsync(run, cancellationToken).ConfigureAwait(false);
        }
    }
}

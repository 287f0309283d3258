using System.Buffers;

namespace PixelPool;

// Whole images out, into spans, other images, streams and sequences.
public readonly partial struct ReadOnlyPixelBuffer<TPixel>
{
    /// <summary>Copies the pixels to a span, row by row without gaps.</summary>
    /// <param name="destination">At least width × height pixels.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<TPixel> destination) => Pixels.CopyTo(destination);

    /// <summary>Copies the pixels to a span of pixels with a stride.</summary>
    /// <param name="destination">Receives row y at pixel y × <paramref name="stride"/>. Pixels between rows are not touched.</param>
    /// <param name="stride">Pixels from one row to the next in the span: at least those of a row. For a span of bytes, the stride is in bytes.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<TPixel> destination, int stride) => Pixels.CopyTo(destination, stride);

    /// <summary>Copies the pixels to bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="destination">Receives row y at byte y × <paramref name="stride"/>; bytes between rows are not touched.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<byte> destination, int stride) => Pixels.CopyTo(destination, stride);

    /// <summary>Copies all pixels to an image of the same size.</summary>
    /// <param name="destination">Receives the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed.</exception>
    public void CopyTo(PixelBuffer<TPixel> destination) => Pixels.CopyTo(destination);

    /// <summary>A new image with the same pixels, rented from the same allocator. It can be written.</summary>
    /// <returns>The image. The caller disposes it. It belongs to no scope, and the allocator's own budget pays for it.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, even after every pool was trimmed. Nothing was rented.</exception>
    /// <exception cref="ObjectDisposedException">The buffer, or the allocator, was disposed.</exception>
    public PixelBuffer<TPixel> Clone() => Pixels.Clone();

    /// <summary>Writes the bytes of all pixels to a stream, row by row without gaps.</summary>
    /// <param name="destination">Receives width × height pixels.</param>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void WriteTo(Stream destination) => Pixels.WriteTo(destination);

    /// <summary>
    /// Writes the bytes of all pixels to a stream, row by row without gaps. The memory stays valid until the task ends, even if the buffer is disposed meanwhile.
    /// </summary>
    /// <param name="destination">Receives width × height pixels.</param>
    /// <param name="cancellationToken">Cancels the writing.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public ValueTask WriteToAsync(Stream destination, CancellationToken cancellationToken = default) => Pixels.WriteToAsync(destination, cancellationToken);

    /// <summary>The bytes of all pixels as a stream that reads them in place, row by row without gaps. Nothing is copied.</summary>
    /// <returns>
    /// A seekable stream at position 0 that throws <see cref="NotSupportedException"/> when it is written. It holds the memory until it is disposed, even if the buffer is disposed before.
    /// Asynchronous calls complete synchronously. Not thread-safe, as streams are.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public Stream AsStream() => Pixels.ToStream(canWrite: false);

    /// <summary>The bytes of all pixels as a sequence, as <see cref="PixelBuffer{TPixel}.AsReadOnlySequence"/> gives it. Nothing is copied.</summary>
    /// <returns>
    /// The sequence. It does not hold the memory: after the buffer was disposed its segments throw <see cref="ObjectDisposedException"/>.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public ReadOnlySequence<byte> AsReadOnlySequence() => Pixels.AsReadOnlySequence();
}

namespace PixelPool;

// Whole images in and out of spans and other images.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>Sets every byte of every pixel to zero. Gaps between rows, and pixels around a view, stay as they are.</summary>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void Clear() => Fill(default);

    /// <summary>Sets every pixel to a value.</summary>
    /// <param name="value">The value.</param>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void Fill(TPixel value) => AsLease().Fill(value);

    /// <summary>Copies the pixels to a span, row by row without gaps.</summary>
    /// <param name="destination">At least width × height pixels.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<TPixel> destination) => CopyTo(destination, Width);

    /// <summary>Copies the pixels to a span of pixels with a stride.</summary>
    /// <param name="destination">Receives row y at pixel y × <paramref name="stride"/>. Pixels between rows are not touched.</param>
    /// <param name="stride">Pixels from one row to the next in the span: at least those of a row. For a span of bytes, the stride is in bytes.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<TPixel> destination, int stride) => AsLease().CopyTo(destination, stride);

    /// <summary>Copies the pixels to bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="destination">Receives row y at byte y × <paramref name="stride"/>; bytes between rows are not touched.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<byte> destination, int stride) => AsLease().CopyTo(destination, stride);

    /// <summary>Copies pixels from a span that holds them row by row without gaps.</summary>
    /// <param name="source">At least width × height pixels. They must not be pixels of the image itself.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<TPixel> source) => CopyFrom(source, Width);

    /// <summary>Copies pixels from a span of pixels with a stride.</summary>
    /// <param name="source">Has row y at pixel y × <paramref name="stride"/>. They must not be pixels of the image itself.</param>
    /// <param name="stride">Pixels from one row to the next in the span: at least those of a row. For a span of bytes, the stride is in bytes.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<TPixel> source, int stride) => AsLease().CopyFrom(source, stride);

    /// <summary>Copies pixels from bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="source">Has row y at byte y × <paramref name="stride"/>. They must not be pixels of the image itself.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<byte> source, int stride) => AsLease().CopyFrom(source, stride);

    /// <summary>
    /// Copies all pixels to another image of the same size. Views of one image that overlap are copied as if through a third. Images that wrap the same
    /// memory are not recognized.
    /// </summary>
    /// <param name="destination">Receives the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed.</exception>
    public void CopyTo(PixelBuffer<TPixel> destination)
    {
        Throw.IfNull(destination, nameof(destination));
        AsLease().CopyTo(destination.AsLease());
    }

    /// <summary>
    /// Copies all pixels from another image of the same size. Views of one image that overlap are copied as if through a third. Images that wrap the same
    /// memory are not recognized.
    /// </summary>
    /// <param name="source">Has the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed.</exception>
    public void CopyFrom(PixelBuffer<TPixel> source)
    {
        Throw.IfNull(source, nameof(source));
        AsLease().CopyFrom(source.AsLease());
    }

    /// <summary>A new image with the same pixels, rented from the same allocator. It is contiguous if this one is.</summary>
    /// <returns>The image. The caller disposes it. It belongs to no scope, and the allocator's own budget pays for it.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer, or the allocator, was disposed.</exception>
    public PixelBuffer<TPixel> Clone() => AsLease().Clone();
}

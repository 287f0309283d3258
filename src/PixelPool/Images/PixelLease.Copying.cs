using PixelPool.Pooling;

namespace PixelPool;

// Whole images in and out of spans and other images.
public readonly partial struct PixelLease<TPixel>
{
    /// <summary>Sets every byte of every pixel to zero. Gaps between rows, and pixels around a view, stay as they are.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void Clear() => Fill(default);

    /// <summary>Sets every pixel to a value.</summary>
    /// <param name="value">The value.</param>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void Fill(TPixel value)
    {
        using PixelReference<TPixel> pixels = Hold(out PixelLayout layout);
        pixels.Fill(value);
    }

    /// <summary>Copies the pixels to a span, row by row without gaps.</summary>
    /// <param name="destination">At least width × height pixels.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void CopyTo(Span<TPixel> destination) => CopyTo(destination, Width);

    /// <summary>Copies the pixels to a span of pixels with a stride.</summary>
    /// <param name="destination">Receives row y at pixel y × <paramref name="stride"/>. Pixels between rows are not touched.</param>
    /// <param name="stride">Pixels from one row to the next in the span: at least those of a row. For a span of bytes, the stride is in bytes.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void CopyTo(Span<TPixel> destination, int stride)
    {
        using PixelReference<TPixel> pixels = Hold(out PixelLayout layout);
        pixels.CopyTo(destination, stride, "pixel");
    }

    /// <summary>Copies the pixels to bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="destination">Receives row y at byte y × <paramref name="stride"/>; bytes between rows are not touched.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void CopyTo(Span<byte> destination, int stride)
    {
        using PixelReference<TPixel> pixels = Hold(out PixelLayout layout);
        pixels.CopyTo(destination, stride, "byte");
    }

    /// <summary>Copies pixels from a span that holds them row by row without gaps.</summary>
    /// <param name="source">At least width × height pixels. They must not be pixels of the image itself.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<TPixel> source) => CopyFrom(source, Width);

    /// <summary>Copies pixels from a span of pixels with a stride.</summary>
    /// <param name="source">Has row y at pixel y × <paramref name="stride"/>. They must not be pixels of the image itself.</param>
    /// <param name="stride">Pixels from one row to the next in the span: at least those of a row. For a span of bytes, the stride is in bytes.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<TPixel> source, int stride)
    {
        using PixelReference<TPixel> pixels = Hold(out PixelLayout layout);
        pixels.CopyFrom(source, stride, "pixel");
    }

    /// <summary>Copies pixels from bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="source">Has row y at byte y × <paramref name="stride"/>. They must not be pixels of the image itself.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<byte> source, int stride)
    {
        using PixelReference<TPixel> pixels = Hold(out PixelLayout layout);
        pixels.CopyFrom(source, stride, "byte");
    }

    /// <summary>
    /// Copies all pixels to another image of the same size. Views of one image that overlap are copied as if through a third. Images that wrap the
    /// same memory are not recognized.
    /// </summary>
    /// <param name="destination">Receives the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ObjectDisposedException">One of the leases was disposed.</exception>
    public void CopyTo(PixelLease<TPixel> destination)
    {
        using PixelReference<TPixel> pixels = Hold(out PixelLayout layout);
        using PixelReference<TPixel> target = destination.Hold(out PixelLayout destinationLayout);
        pixels.CopyTo(target);
    }

    /// <summary>
    /// Copies all pixels from another image of the same size. Views of one image that overlap are copied as if through a third. Images that wrap the
    /// same memory are not recognized.
    /// </summary>
    /// <param name="source">Has the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ObjectDisposedException">One of the leases was disposed.</exception>
    public void CopyFrom(PixelLease<TPixel> source)
    {
        using PixelReference<TPixel> pixels = source.Hold(out PixelLayout layout);
        using PixelReference<TPixel> target = Hold(out PixelLayout targetLayout);
        pixels.CopyTo(target, nameof(source));
    }
}

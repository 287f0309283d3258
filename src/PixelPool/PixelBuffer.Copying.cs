using System.Runtime.InteropServices;

namespace PixelPool;

/// <content>Whole images in and out of spans and other images.</content>
public sealed partial class PixelBuffer<TPixel>
    where TPixel : unmanaged
{
    /// <summary>Sets every byte of every pixel to zero. Gaps between rows, and pixels around a view, stay as they are.</summary>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void Clear() => Fill(default);

    /// <summary>Sets every pixel to a value.</summary>
    /// <param name="value">The value.</param>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void Fill(TPixel value) =>
        ProcessPixelRows(value, static (accessor, value) =>
        {
            foreach (Span<TPixel> row in accessor)
            {
                row.Fill(value);
            }
        });

    /// <summary>Copies the pixels to a span, row by row without gaps.</summary>
    /// <param name="destination">At least width × height pixels.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<TPixel> destination) => CopyTo(destination, Width);

    /// <summary>Copies the pixels to a span of pixels with a stride.</summary>
    /// <param name="destination">Gets row y at pixel y × <paramref name="stride"/>. Pixels between rows are not touched.</param>
    /// <param name="stride">Pixels from one row to the next in the span: at least those of a row. Of a span of bytes, it is in bytes.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<TPixel> destination, int stride)
    {
        CheckStride(destination.Length, stride, Width, "pixel", nameof(destination));
        Acquire();
        try
        {
            int y = 0;
            foreach (Span<TPixel> row in Access())
            {
                row.CopyTo(destination.Slice(y++ * stride));
            }
        }
        finally
        {
            Release();
        }
    }

    /// <summary>Copies the pixels to bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="destination">Gets row y at byte y × <paramref name="stride"/>; bytes between rows are not touched.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<byte> destination, int stride)
    {
        CheckStride(destination.Length, stride, RowBytes, "byte", nameof(destination));
        Acquire();
        try
        {
            int y = 0;
            foreach (Span<TPixel> row in Access())
            {
                MemoryMarshal.AsBytes(row).CopyTo(destination.Slice(y++ * stride));
            }
        }
        finally
        {
            Release();
        }
    }

    /// <summary>Copies pixels from a span that holds them row by row without gaps.</summary>
    /// <param name="source">At least width × height pixels.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<TPixel> source) => CopyFrom(source, Width);

    /// <summary>Copies pixels from a span of pixels with a stride.</summary>
    /// <param name="source">Has row y at pixel y × <paramref name="stride"/>.</param>
    /// <param name="stride">Pixels from one row to the next in the span: at least those of a row. Of a span of bytes, it is in bytes.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<TPixel> source, int stride)
    {
        CheckStride(source.Length, stride, Width, "pixel", nameof(source));
        Acquire();
        try
        {
            int y = 0;
            foreach (Span<TPixel> row in Access())
            {
                source.Slice(y++ * stride, row.Length).CopyTo(row);
            }
        }
        finally
        {
            Release();
        }
    }

    /// <summary>Copies pixels from bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="source">Has row y at byte y × <paramref name="stride"/>.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<byte> source, int stride)
    {
        CheckStride(source.Length, stride, RowBytes, "byte", nameof(source));
        Acquire();
        try
        {
            int y = 0;
            foreach (Span<TPixel> row in Access())
            {
                source.Slice(y++ * stride, RowBytes).CopyTo(MemoryMarshal.AsBytes(row));
            }
        }
        finally
        {
            Release();
        }
    }

    /// <summary>Copies all pixels to another image of the same size. Views of one image that overlap are copied as if through a third.</summary>
    /// <param name="destination">Gets the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed.</exception>
    public void CopyTo(PixelBuffer<TPixel> destination)
    {
        Throw.IfNull(destination, nameof(destination));
        if (destination.Width != Width || destination.Height != Height)
        {
            Throw.Argument(
                $"An image of {Width} x {Height} pixels cannot be copied to one of {destination.Width} x {destination.Height}.", nameof(destination));
        }

        // Rows of the same memory are copied in the order that reads each one before it is overwritten.
        bool backwards = destination._guard == _guard && destination._layout.FirstRow > _layout.FirstRow;
        ProcessPixelRows(destination, backwards, static (from, to, backwards) =>
        {
            for (int i = 0; i < from.Height; i++)
            {
                int y = backwards ? from.Height - 1 - i : i;
                from.GetRowSpan(y).CopyTo(to.GetRowSpan(y));
            }
        });
    }

    /// <summary>Bytes of the pixels of one row.</summary>
    private unsafe int RowBytes => Width * sizeof(TPixel);

    // Counted in what the span is made of: its pixels may have more bytes than an int can count. All rows fit then, so y × stride does not overflow either.
    private void CheckStride(int length, int stride, int row, string unit, string name)
    {
        if (stride < row)
        {
            Throw.OutOfRange(nameof(stride), stride, $"A row has {Plural.Of(row, unit)}: the stride must be at least that.");
        }

        long needed = ((long)stride * (Height - 1)) + row;
        if (length < needed)
        {
            Throw.Argument(
                $"The span has {Plural.Of(length, unit)}. It must have at least {needed}, for {Plural.Of(Height, "row")} of {Plural.Of(row, unit)} "
                    + $"with a stride of {Plural.Of(stride, unit)}.",
                name);
        }
    }
}

using System.Runtime.InteropServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

// Whole images in and out of spans and other images.
public readonly partial struct PixelLease<TPixel>
{
    // The base library fills pixels of 3, 6 or 12 bytes one by one. So many of those are filled, the rest is copied from these: that takes a sixth of the time, or less.
    private static unsafe int FillsAlone => (sizeof(TPixel) & (sizeof(TPixel) - 1)) == 0 ? int.MaxValue : 1024;

    /// <summary>Sets every byte of every pixel to zero. Gaps between rows, and pixels around a view, stay as they are.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void Clear() => Fill(default);

    /// <summary>Sets every pixel to a value.</summary>
    /// <param name="value">The value.</param>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void Fill(TPixel value)
    {
        using PixelReference pixels = Hold();
        PixelAccessor<TPixel> accessor = pixels.Access<TPixel>();
        for (int y = 0, rows; y < accessor.Height; y += rows)
        {
            Span<TPixel> run = accessor.GetRunSpan(y, out rows);
            Span<TPixel> filled = run.Slice(0, Math.Min(run.Length, FillsAlone));
            filled.Fill(value);
            for (int x = filled.Length; x < run.Length; x += filled.Length)
            {
                filled.Slice(0, Math.Min(filled.Length, run.Length - x)).CopyTo(run.Slice(x));
            }
        }
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
    public void CopyTo(Span<TPixel> destination, int stride) => CopyTo(destination, stride, "pixel");

    /// <summary>Copies the pixels to bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="destination">Receives row y at byte y × <paramref name="stride"/>; bytes between rows are not touched.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void CopyTo(Span<byte> destination, int stride) => CopyTo(destination, stride, "byte");

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
    public void CopyFrom(ReadOnlySpan<TPixel> source, int stride) => CopyFrom(source, stride, "pixel");

    /// <summary>Copies pixels from bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="source">Has row y at byte y × <paramref name="stride"/>. They must not be pixels of the image itself.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public void CopyFrom(ReadOnlySpan<byte> source, int stride) => CopyFrom(source, stride, "byte");

    /// <summary>
    /// Copies all pixels to another image of the same size. Views of one image that overlap are copied as if through a third. Images that wrap the
    /// same memory are not recognized.
    /// </summary>
    /// <param name="destination">Receives the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ObjectDisposedException">One of the leases was disposed.</exception>
    public void CopyTo(PixelLease<TPixel> destination) => Copy(in this, in destination, nameof(destination));

    /// <summary>
    /// Copies all pixels from another image of the same size. Views of one image that overlap are copied as if through a third. Images that wrap the
    /// same memory are not recognized.
    /// </summary>
    /// <param name="source">Has the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ObjectDisposedException">One of the leases was disposed.</exception>
    public void CopyFrom(PixelLease<TPixel> source) => Copy(in source, in this, nameof(source));

    /// <summary>The same pixels, rented of the same allocator.</summary>
    internal unsafe PixelBuffer<TPixel> Clone()
    {
        using PixelReference pixels = Hold();
        PixelLayout layout = pixels.Layout;
        AllocationOptions options = layout.PieceCount == 1 ? AllocationOptions.Contiguous : AllocationOptions.None;
        LifetimeGuard guard = MemoryRequests.Of(pixels.Guard).TakeImage(null, layout.Width, layout.Height, sizeof(TPixel), options, out PixelLayout copy);
        var clone = new PixelBuffer<TPixel>(guard, guard.Version, copy.Subsample(layout.RowsOfOne));

        // Not as this lease, which may have been disposed meanwhile: the reference is held.
        new PixelLease<TPixel>(pixels.Guard, pixels.Version, in layout, LifetimeGuard.Reference).CopyTo(clone.AsLease());
        return clone;
    }

    // To pixels, or to bytes: the stride is counted in what the span is made of, and messages call it so.
    private void CopyTo<TUnit>(Span<TUnit> destination, int stride, string unit)
        where TUnit : unmanaged
    {
        using PixelReference pixels = Hold();
        PixelAccessor<TPixel> accessor = pixels.Access<TPixel>();
        int rowUnits = CheckStride<TUnit>(accessor, destination.Length, stride, unit, nameof(destination));
        for (int y = 0, rows; y < accessor.Height; y += rows)
        {
            MemoryMarshal.Cast<TPixel, TUnit>(accessor.GetRunSpan(y, out rows, alone: stride != rowUnits)).CopyTo(destination.Slice(y * stride));
        }
    }

    private void CopyFrom<TUnit>(ReadOnlySpan<TUnit> source, int stride, string unit)
        where TUnit : unmanaged
    {
        using PixelReference pixels = Hold();
        PixelAccessor<TPixel> accessor = pixels.Access<TPixel>();
        int rowUnits = CheckStride<TUnit>(accessor, source.Length, stride, unit, nameof(source));
        for (int y = 0, rows; y < accessor.Height; y += rows)
        {
            Span<TUnit> units = MemoryMarshal.Cast<TPixel, TUnit>(accessor.GetRunSpan(y, out rows, alone: stride != rowUnits));
            source.Slice(y * stride, units.Length).CopyTo(units);
        }
    }

    // Counted in what the span is made of: its pixels may have more bytes than an int can count. All rows fit then, so y × stride does not overflow either.
    // Returns the units of a row.
    private static unsafe int CheckStride<TUnit>(PixelAccessor<TPixel> accessor, int length, int stride, string unit, string name)
        where TUnit : unmanaged
    {
        int row = accessor.Width * sizeof(TPixel) / sizeof(TUnit);
        if (stride < row)
        {
            Throw.OutOfRange(nameof(stride), stride, $"A row has {Plural.Of(row, unit)}: the stride must be at least that.");
        }

        long needed = ((long)stride * (accessor.Height - 1)) + row;
        if (length < needed)
        {
            Throw.Argument(
                $"The span has {Plural.Of(length, unit)}. It must have at least {needed}, for {Plural.Of(accessor.Height, "row")} of {Plural.Of(row, unit)} "
                    + $"with a stride of {Plural.Of(stride, unit)}.",
                name);
        }

        return row;
    }

    private static void Copy(in PixelLease<TPixel> source, in PixelLease<TPixel> destination, string other)
    {
        using PixelReference read = source.Hold();
        using PixelReference written = destination.Hold();
        PixelAccessor<TPixel> from = read.Access<TPixel>();
        PixelAccessor<TPixel> to = written.Access<TPixel>();
        if (to.Width != from.Width || to.Height != from.Height)
        {
            Throw.Argument($"An image of {from.Width} x {from.Height} pixels cannot be copied to one of {to.Width} x {to.Height}.", other);
        }

        if (written.Guard == read.Guard)
        {
            // Rows of the same memory are copied in the order that reads each one before it is overwritten.
            bool backwards = written.Layout.FirstRow > read.Layout.FirstRow;
            for (int i = 0; i < from.Height; i++)
            {
                int y = backwards ? from.Height - 1 - i : i;
                from.GetRowSpan(y).CopyTo(to.GetRowSpan(y));
            }

            return;
        }

        for (int y = 0, rows; y < from.Height; y += rows)
        {
            Span<TPixel> run = from.GetRunSpan(y, out int rowsOfSource);
            Span<TPixel> target = to.GetRunSpan(y, out int rowsOfTarget);
            rows = Math.Min(rowsOfSource, rowsOfTarget);
            run.Slice(0, rows * from.Width).CopyTo(target);
        }
    }
}

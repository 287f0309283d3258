using System.Runtime.InteropServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

// Whole images in and out of spans, other images.
internal readonly ref partial struct PixelReference<TPixel>
{
    public void Fill(TPixel value)
    {
        PixelAccessor<TPixel> accessor = Access();
        for (int y = 0, rows; y < Height; y += rows)
        {
            accessor.GetRunSpan(y, out rows).Fill(value);
        }
    }

    /// <summary>Copies the rows to pixels, or to bytes.</summary>
    /// <param name="destination">Where to.</param>
    /// <param name="stride">What is between the starts of two rows there, in the same unit.</param>
    /// <param name="unit">What the span is made of, in messages.</param>
    public unsafe void CopyTo<TUnit>(Span<TUnit> destination, int stride, string unit)
        where TUnit : unmanaged
    {
        int rowUnits = RowBytes / sizeof(TUnit);
        CheckStride(destination.Length, stride, rowUnits, unit, nameof(destination));
        PixelAccessor<TPixel> accessor = Access();
        for (int y = 0, rows; y < Height; y += rows)
        {
            MemoryMarshal.Cast<TPixel, TUnit>(accessor.GetRunSpan(y, out rows, alone: stride != rowUnits)).CopyTo(destination.Slice(y * stride));
        }
    }

    /// <summary>Copies pixels, or bytes, to the rows.</summary>
    /// <param name="source">Where from.</param>
    /// <param name="stride">What is between the starts of two rows there, in the same unit.</param>
    /// <param name="unit">What the span is made of, in messages.</param>
    public unsafe void CopyFrom<TUnit>(ReadOnlySpan<TUnit> source, int stride, string unit)
        where TUnit : unmanaged
    {
        int rowUnits = RowBytes / sizeof(TUnit);
        CheckStride(source.Length, stride, rowUnits, unit, nameof(source));
        PixelAccessor<TPixel> accessor = Access();
        for (int y = 0, rows; y < Height; y += rows)
        {
            Span<TUnit> units = MemoryMarshal.Cast<TPixel, TUnit>(accessor.GetRunSpan(y, out rows, alone: stride != rowUnits));
            source.Slice(y * stride, units.Length).CopyTo(units);
        }
    }

    /// <summary>Copies all pixels to an image of the same size.</summary>
    /// <param name="destination">That image.</param>
    /// <param name="other">What the caller calls the other one of the two.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    public void CopyTo(scoped PixelReference<TPixel> destination, string other = "destination")
    {
        if (destination.Width != Width || destination.Height != Height)
        {
            Throw.Argument(
                $"An image of {Width} x {Height} pixels cannot be copied to one of {destination.Width} x {destination.Height}.", other);
        }

        PixelAccessor<TPixel> from = Access();
        PixelAccessor<TPixel> to = destination.Access();
        if (destination._guard == _guard)
        {
            // Rows of the same memory are copied in the order that reads each one before it is overwritten.
            bool backwards = destination._layout.FirstRow > _layout.FirstRow;
            for (int i = 0; i < Height; i++)
            {
                int y = backwards ? Height - 1 - i : i;
                from.GetRowSpan(y).CopyTo(to.GetRowSpan(y));
            }

            return;
        }

        for (int y = 0, rows; y < Height; y += rows)
        {
            Span<TPixel> source = from.GetRunSpan(y, out int rowsOfSource);
            Span<TPixel> target = to.GetRunSpan(y, out int rowsOfTarget);
            rows = Math.Min(rowsOfSource, rowsOfTarget);
            source.Slice(0, rows * Width).CopyTo(target);
        }
    }

    /// <summary>The same pixels, rented of the same allocator.</summary>
    public unsafe PixelBuffer<TPixel> Clone()
    {
        AllocationOptions options = _layout.PieceCount == 1 ? AllocationOptions.Contiguous : AllocationOptions.None;
        LifetimeGuard guard = MemoryRequests.Of(_guard).TakeImage(null, Width, Height, sizeof(TPixel), options, out PixelLayout layout);
        layout = layout.Subsample(_layout.RowsOfOne);
        var clone = new PixelBuffer<TPixel>(guard, guard.Version, in layout);
        using PixelReference<TPixel> target = clone.Hold();
        CopyTo(target);
        return clone;
    }

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

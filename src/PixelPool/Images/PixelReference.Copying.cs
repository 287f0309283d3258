using System.Runtime.InteropServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

// Whole images in and out of spans and other images.
internal readonly ref partial struct PixelReference<TPixel>
{
    public void Fill(TPixel value)
    {
        foreach (Span<TPixel> row in Access())
        {
            row.Fill(value);
        }
    }

    public void CopyTo(Span<TPixel> destination, int stride)
    {
        CheckStride(destination.Length, stride, Width, "pixel", nameof(destination));
        int y = 0;
        foreach (Span<TPixel> row in Access())
        {
            row.CopyTo(destination.Slice(y++ * stride));
        }
    }

    public void CopyTo(Span<byte> destination, int stride)
    {
        CheckStride(destination.Length, stride, RowBytes, "byte", nameof(destination));
        int y = 0;
        foreach (Span<TPixel> row in Access())
        {
            MemoryMarshal.AsBytes(row).CopyTo(destination.Slice(y++ * stride));
        }
    }

    public void CopyFrom(ReadOnlySpan<TPixel> source, int stride)
    {
        CheckStride(source.Length, stride, Width, "pixel", nameof(source));
        int y = 0;
        foreach (Span<TPixel> row in Access())
        {
            source.Slice(y++ * stride, row.Length).CopyTo(row);
        }
    }

    public void CopyFrom(ReadOnlySpan<byte> source, int stride)
    {
        CheckStride(source.Length, stride, RowBytes, "byte", nameof(source));
        int y = 0;
        foreach (Span<TPixel> row in Access())
        {
            source.Slice(y++ * stride, RowBytes).CopyTo(MemoryMarshal.AsBytes(row));
        }
    }

    /// <exception cref="ArgumentException">The sizes differ.</exception>
    public void CopyTo(scoped PixelReference<TPixel> destination)
    {
        if (destination.Width != Width || destination.Height != Height)
        {
            Throw.Argument(
                $"An image of {Width} x {Height} pixels cannot be copied to one of {destination.Width} x {destination.Height}.", nameof(destination));
        }

        // Rows of the same memory are copied in the order that reads each one before it is overwritten.
        bool backwards = destination._guard == _guard && destination._layout.FirstRow > _layout.FirstRow;
        PixelAccessor<TPixel> from = Access();
        PixelAccessor<TPixel> to = destination.Access();
        for (int i = 0; i < Height; i++)
        {
            int y = backwards ? Height - 1 - i : i;
            from.GetRowSpan(y).CopyTo(to.GetRowSpan(y));
        }
    }

    /// <summary>The same pixels, rented of the same allocator.</summary>
    public unsafe PixelBuffer<TPixel> Clone()
    {
        AllocationOptions options = _layout.PieceCount == 1 ? AllocationOptions.Contiguous : AllocationOptions.None;
        LifetimeGuard guard = MemoryRequests.Of(_guard).TakeImage(null, Width, Height, sizeof(TPixel), options, out PixelLayout layout);
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

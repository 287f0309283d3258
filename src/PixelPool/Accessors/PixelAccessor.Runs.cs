using System.Runtime.InteropServices;

namespace PixelPool;

// Runs of rows that lie one behind the other without gaps.
public readonly unsafe ref partial struct PixelAccessor<TPixel>
{
    // A run is handed to streams and segments in one go: large enough to make their calls rare, small enough for every span.
    internal const int MaxRunBytes = 64 << 20;

    /// <summary>All pixels as one span. The caller knows that they are one run.</summary>
    internal Span<TPixel> GetSinglePixelSpan() => Extend(GetRowSpan(0), Height);

    /// <summary>The pixels from row <paramref name="y"/> to the end of its block, or the row alone where there are gaps between rows.</summary>
    internal Span<TPixel> GetRunSpan(int y, out int rows)
    {
        rows = 1;
        Span<TPixel> row = GetRowSpan(y);
        if (_layout.Stride == _layout.Width * sizeof(TPixel))
        {
            rows = _layout.RowsInPiece(y, MaxRunBytes);
        }

        return Extend(row, rows);
    }

    private Span<TPixel> Extend(Span<TPixel> firstRow, int rows)
    {
#if NET
        return MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(firstRow), _layout.Width * rows);
#else
        // Only memory of an array can move: there the span is cut from the array again.
        int pixels = _layout.Width * rows;
        if (_array is null)
        {
            fixed (TPixel* first = firstRow)
            {
                return new Span<TPixel>(first, pixels);
            }
        }

        fixed (byte* start = _array)
        fixed (TPixel* first = firstRow)
        {
            return MemoryMarshal.Cast<byte, TPixel>(_array.AsSpan((int)((byte*)first - start), pixels * sizeof(TPixel)));
        }
#endif
    }
}

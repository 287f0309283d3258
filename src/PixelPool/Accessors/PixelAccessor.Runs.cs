namespace PixelPool;

// Runs of rows that lie one behind the other without gaps.
public readonly unsafe ref partial struct PixelAccessor<TPixel>
{
    // A run is handed to streams and segments in one go: large enough to make their calls rare, small enough for every span.
    internal const int MaxRunBytes = 64 << 20;

    /// <summary>All pixels as one span. The caller knows that they are one run.</summary>
    internal Span<TPixel> GetSinglePixelSpan() => GetSpan(0, Height);

    /// <summary>The pixels from row <paramref name="y"/> to the end of its block, or the row alone where there are gaps between rows.</summary>
    internal Span<TPixel> GetRunSpan(int y, out int rows)
    {
        rows = _layout.Stride == _layout.Width * sizeof(TPixel) ? _layout.RowsInPiece(y, MaxRunBytes) : 1;
        return GetSpan(y, rows);
    }
}

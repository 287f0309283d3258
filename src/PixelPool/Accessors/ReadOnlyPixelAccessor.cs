using System.Runtime.CompilerServices;

namespace PixelPool;

/// <summary>The pixels of an image that is only read, for the duration of a delegate.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <remarks>
/// A <c>ref struct</c>: it cannot be stored, captured or awaited over, and neither can its spans. While the delegate runs the memory stays valid, even if the
/// image is disposed meanwhile. Any number of threads may read.
/// </remarks>
public readonly ref struct ReadOnlyPixelAccessor<TPixel>
    where TPixel : unmanaged
{
    private readonly PixelAccessor<TPixel> _pixels;

    internal ReadOnlyPixelAccessor(PixelAccessor<TPixel> pixels) => _pixels = pixels;

    /// <summary>Width in pixels.</summary>
    public int Width => _pixels.Width;

    /// <summary>Height in rows.</summary>
    public int Height => _pixels.Height;

    /// <summary>The row of the image at which this accessor begins. It is 0, except for bands of <c>ProcessPixelRowsInParallel</c>.</summary>
    public int FirstRow => _pixels.FirstRow;

    /// <summary>One pixel. For whole rows, <see cref="GetRowSpan"/> is faster.</summary>
    /// <param name="x">The column: 0 to <see cref="Width"/> − 1.</param>
    /// <param name="y">The row: 0 to <see cref="Height"/> − 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such pixel.</exception>
    public ref readonly TPixel this[int x, int y]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref _pixels[x, y];
    }

    /// <summary>The <see cref="Width"/> pixels of a row.</summary>
    /// <param name="y">The row, counted from <see cref="FirstRow"/>: 0 to <see cref="Height"/> − 1.</param>
    /// <returns>The pixels, for as long as the delegate runs.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such row.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<TPixel> GetRowSpan(int y) => _pixels.GetRowSpan(y);

    /// <summary>The <see cref="Width"/> pixels of a row; outside of the image those of the nearest row.</summary>
    /// <param name="y">The row: any number. Less than 0 gives the first row, <see cref="Height"/> or more the last one.</param>
    /// <returns>The pixels, for as long as the delegate runs.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The accessor is the default value: it has no rows.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<TPixel> GetRowSpanClamped(int y) => _pixels.GetRowSpan(Math.Max(0, Math.Min(y, Height - 1)));

    /// <summary>Enumerates the rows: <c>foreach (ReadOnlySpan&lt;TPixel&gt; row in accessor)</c>.</summary>
    public RowEnumerator GetEnumerator() => new(_pixels.GetEnumerator());

    /// <summary>Size and type of the pixels, for debuggers.</summary>
    public override string ToString() => _pixels.ToString();

    /// <summary>Gives the rows of an accessor from the first to the last.</summary>
    public ref struct RowEnumerator
    {
        private PixelAccessor<TPixel>.RowEnumerator _rows;

        internal RowEnumerator(PixelAccessor<TPixel>.RowEnumerator rows) => _rows = rows;

        /// <summary>The pixels of the current row.</summary>
        public readonly ReadOnlySpan<TPixel> Current => _rows.Current;

        /// <summary>Goes to the next row.</summary>
        /// <returns>False after the last one.</returns>
        public bool MoveNext() => _rows.MoveNext();
    }
}

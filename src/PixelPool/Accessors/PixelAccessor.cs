using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>
/// The pixels of an image, of a view or of a band of rows, for the duration of a delegate: rows as spans that cannot outlive the image.
/// </summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <remarks>
/// A <c>ref struct</c>: it cannot be stored, captured or awaited over, and neither can its spans. While the delegate runs the memory stays valid, even if the
/// image is disposed meanwhile. Any number of threads may read. Threads that write must synchronize with the others.
/// </remarks>
public readonly unsafe ref struct PixelAccessor<TPixel>
    where TPixel : unmanaged
{
    // A run is handed to streams and segments in one go: large enough to make their calls rare, small enough for every span.
    internal const int MaxRunBytes = 64 << 20;

#if NET
    // Four words in all, because accessors are copied to every delegate. What it points to outlives the call: a field of the buffer that never changes,
    // or a local of the caller.
    private readonly ref readonly PixelLayout _layout;
#else
    private readonly PixelLayout _layout;
#endif

    // Two numbers in one word: a structure of more than four fields is not kept in registers.
    private readonly ulong _heightAndFirstRow;

    // Null when all rows are in one piece, which starts at the origin.
    private readonly nint[]? _blocks;

#if NET
    private readonly ref byte _origin;
#else
    private readonly byte[]? _array;

    // Its address, or where it begins in the array.
    private readonly nint _origin;
#endif

#if NET
    internal PixelAccessor(LifetimeGuard guard, ref readonly PixelLayout layout, int firstRow)
#else
    internal PixelAccessor(LifetimeGuard guard, scoped ref readonly PixelLayout layout, int firstRow)
#endif
    {
#if NET
        _layout = ref layout;
#else
        _layout = layout;
#endif
        _heightAndFirstRow = (uint)layout.Height | ((ulong)(uint)firstRow << 32);
        _blocks = guard.BlockCount > 1 ? guard.Blocks : null;
#if NET
        nint origin = guard.FirstPiece;
        _origin = ref guard.Array is { } array ? ref Unsafe.AddByteOffset(ref MemoryMarshal.GetArrayDataReference(array), origin) : ref Unsafe.AsRef<byte>((void*)origin);
#else
        _array = guard.Array;
        _origin = guard.FirstPiece;
#endif
    }

    /// <summary>Width in pixels.</summary>
#if NET
    public int Width => Unsafe.IsNullRef(in _layout) ? 0 : _layout.Width;
#else
    public int Width => _layout.Width;
#endif

    /// <summary>Height of the image, or of the band, in rows.</summary>
    public int Height => (int)_heightAndFirstRow;

    /// <summary>
    /// The row of the image at which this accessor begins. It is 0, except for bands of
    /// <see cref="PixelBuffer{TPixel}.ProcessPixelRowsInParallel(PixelAccessorAction{TPixel}, int)"/> and
    /// <see cref="PixelBuffer{TPixel}.FilterPixelRowsInParallel{TSource}(PixelBuffer{TSource}, PixelFilterAction{TPixel, TSource}, int, CancellationToken)"/>.
    /// </summary>
    public int FirstRow => (int)(_heightAndFirstRow >> 32);

    /// <summary>The <see cref="Width"/> pixels of a row.</summary>
    /// <param name="y">The row, counted from <see cref="FirstRow"/>: 0 to <see cref="Height"/> − 1.</param>
    /// <returns>The pixels, for as long as the delegate runs.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such row.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<TPixel> GetRowSpan(int y) => GetSpan(y, rows: 1);

    /// <summary>Rows as one span. Several lie one behind the other without gaps: the caller knows that.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Span<TPixel> GetSpan(int y, int rows)
    {
        // The default value has no layout, and no rows.
        if ((uint)y >= (uint)Height)
        {
            Throw.RowOutOfRange(y, Height, FirstRow);
        }

        int row = _layout.FirstRow + y;
        if (_blocks is not null)
        {
            int block = _layout.BlockOf(row);
            row -= block * _layout.RowsPerBlock;
            return new Span<TPixel>((byte*)_blocks[block] + Offset(row), _layout.Width * rows);
        }

#if NET
        return MemoryMarshal.CreateSpan(ref Unsafe.As<byte, TPixel>(ref Unsafe.AddByteOffset(ref _origin, Offset(row))), _layout.Width * rows);
#else
        return _array is null
            ? new Span<TPixel>((byte*)_origin + Offset(row), _layout.Width * rows)
            : MemoryMarshal.Cast<byte, TPixel>(_array.AsSpan((int)(_origin + Offset(row)), _layout.Width * rows * sizeof(TPixel)));
#endif
    }

    /// <summary>One pixel, to be read, written or passed on by reference. For whole rows, <see cref="GetRowSpan"/> is faster.</summary>
    /// <param name="x">The column: 0 to <see cref="Width"/> − 1.</param>
    /// <param name="y">The row, counted from <see cref="FirstRow"/>: 0 to <see cref="Height"/> − 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such pixel.</exception>
    public ref TPixel this[int x, int y]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            if ((uint)y >= (uint)Height || (uint)x >= (uint)_layout.Width)
            {
                Throw.PixelOutOfRange(x, y, Width, Height);
            }

            return ref GetRowSpan(y)[x];
        }
    }

    /// <summary>Enumerates the rows: <c>foreach (Span&lt;TPixel&gt; row in accessor)</c>.</summary>
    public RowEnumerator GetEnumerator() => new(this);

    /// <summary>Size and type of the pixels, for debuggers.</summary>
    public override string ToString() => $"{Width} x {Height} {TypeName.Of(typeof(TPixel))}";

    /// <summary>The pixels from row <paramref name="y"/> to the end of its block, or the row alone: where there are gaps between rows, or if the caller needs that.</summary>
    internal Span<TPixel> GetRunSpan(int y, out int rows, bool alone = false)
    {
        rows = !alone && _layout.Stride == _layout.Width * sizeof(TPixel) ? _layout.RowsInPiece(y, MaxRunBytes) : 1;
        return GetSpan(y, rows);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private nint Offset(int row) => ((nint)row * _layout.Stride) + _layout.ColumnBytes;

    /// <summary>Gives the rows of an accessor from the first to the last.</summary>
    public ref struct RowEnumerator
    {
        private readonly PixelAccessor<TPixel> _accessor;
        private int _y = -1;

        internal RowEnumerator(PixelAccessor<TPixel> accessor) => _accessor = accessor;

        /// <summary>The pixels of the current row.</summary>
        public readonly Span<TPixel> Current => _accessor.GetRowSpan(_y);

        /// <summary>Goes to the next row.</summary>
        /// <returns>False after the last one.</returns>
        public bool MoveNext() => ++_y < _accessor.Height;
    }
}

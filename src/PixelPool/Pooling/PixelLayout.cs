using System.Numerics;
using System.Runtime.CompilerServices;
using PixelPool.Native;

namespace PixelPool.Pooling;

/// <summary>
/// How the rows of an image, or of a view or band of one, lie in memory. Rows never straddle blocks: every block holds the same number of whole rows.
/// </summary>
internal readonly struct PixelLayout
{
    private readonly uint _multiplier;
    private readonly byte _shift;

    // One less, so that it is 1 by default. A byte: it fits where the struct has a gap.
    private readonly byte _moreRowsOfOne;

    /// <param name="width">Pixels of a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="stride">Bytes from one row to the next.</param>
    /// <param name="rowsPerBlock">Whole rows one block holds.</param>
    /// <param name="isDivided">False when all rows are in one piece of memory: blocks need not be found then.</param>
    public PixelLayout(int width, int height, int stride, int rowsPerBlock, bool isDivided)
    {
        Width = width;
        Height = height;
        Stride = stride;
        RowsPerBlock = rowsPerBlock;
        if (isDivided)
        {
            // Division by an invariant (Granlund and Montgomery, 1994): exact for every row number below 2³¹ with a multiplier of 32 bits.
            _shift = (byte)(31 + CeilingLog2((uint)rowsPerBlock));
            _multiplier = (uint)(((1UL << _shift) + (uint)rowsPerBlock - 1) / (uint)rowsPerBlock);
        }
    }

    /// <summary>The most <see cref="RowsOfOne"/>.</summary>
    public static int MostRowsOfOne => byte.MaxValue;

    /// <summary>Pixels of a row.</summary>
    public int Width { get; private init; }

    /// <summary>Rows.</summary>
    public int Height { get; private init; }

    /// <summary>Bytes from the start of a row to the start of the next one in the same block.</summary>
    public readonly int Stride;

    /// <summary>Whole rows one block holds.</summary>
    public readonly int RowsPerBlock;

    /// <summary>The row of the memory that is row 0 here.</summary>
    public int FirstRow { get; private init; }

    /// <summary>Bytes from the start of a row of the memory to column 0 here.</summary>
    public int ColumnBytes { get; private init; }

    /// <summary>How many rows of the picture one row here belongs to: more than one in a plane that is subsampled vertically.</summary>
    public int RowsOfOne
    {
        get => _moreRowsOfOne + 1;
        private init => _moreRowsOfOne = (byte)(value - 1);
    }

    /// <summary>Pieces of memory the rows lie in; 0 of the default value.</summary>
    public int PieceCount => Height == 0 ? 0 : ((FirstRow + Height - 1) / RowsPerBlock) - (FirstRow / RowsPerBlock) + 1;

    /// <summary>Bytes of all rows of an image.</summary>
    /// <param name="stride">Bytes of a row.</param>
    /// <param name="height">Rows.</param>
    /// <exception cref="InvalidMemoryOperationException">They are more than a process can address.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long TotalBytes(long stride, int height)
    {
        // At most 2⁶² for images (two factors below 2³¹) and 2⁶³ − 1 for memory of one row: it cannot overflow.
        long totalBytes = stride * height;
        if (totalBytes > BlockSource.MaxBytes)
        {
            Throw.TooLarge(totalBytes, BlockSource.MaxBytes);
        }

        return totalBytes;
    }

    /// <summary>Bytes from one row to the next.</summary>
    /// <param name="width">Pixels of a row.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <param name="alignment">What it is a multiple of: a power of two.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long StrideOf(int width, int pixelBytes, int alignment) => (((long)width * pixelBytes) + alignment - 1) & -(long)alignment;

    /// <summary>The same, for an image that users ask for.</summary>
    /// <param name="width">Pixels of a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <param name="alignment">What it is a multiple of: a power of two.</param>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1.</exception>
    /// <exception cref="InvalidMemoryOperationException">They are more than 2 GiB.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long CheckStride(int width, int height, int pixelBytes, int alignment)
    {
        if (width < 1)
        {
            Throw.NotPositive(nameof(width), width);
        }

        if (height < 1)
        {
            Throw.NotPositive(nameof(height), height);
        }

        long stride = StrideOf(width, pixelBytes, alignment);
        if (stride > int.MaxValue)
        {
            Throw.RowTooLong(width, pixelBytes);
        }

        return stride;
    }

    /// <summary>Whole rows that a block holds.</summary>
    /// <param name="blockBytes">Bytes of the block.</param>
    /// <param name="stride">Bytes of a row. 0 is an allocation of no elements: then all rows fit.</param>
    /// <param name="height">Rows.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int RowsIn(int blockBytes, long stride, int height) =>
        stride == 0 ? height : stride > blockBytes ? 0 : (int)((uint)blockBytes / (uint)stride);

    /// <summary>Whether all pixels are one run without gaps that a span can hold.</summary>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    public bool IsSingleRun(int pixelBytes) =>
        PieceCount == 1 && (Stride == Width * pixelBytes || Height == 1) && (long)Width * Height <= int.MaxValue;

    /// <summary>The piece of memory in which a row lies, and how many bytes behind its start.</summary>
    /// <param name="y">The row, counted from <see cref="FirstRow"/>.</param>
    /// <param name="offset">Bytes from the start of the piece to column 0.</param>
    public int Locate(int y, out nint offset)
    {
        int row = FirstRow + y;
        int block = BlockOf(row);
        offset = ((nint)(row - (block * RowsPerBlock)) * Stride) + ColumnBytes;
        return block;
    }

    /// <summary>How many rows from <paramref name="y"/> on lie in one piece of memory and have at most <paramref name="mostBytes"/> together; one at least.</summary>
    public int RowsInPiece(int y, long mostBytes)
    {
        int untilPieceEnds = PieceCount == 1 ? Height - y : Math.Min(Height - y, RowsPerBlock - ((FirstRow + y) % RowsPerBlock));
        return (int)Math.Max(1, Math.Min(untilPieceEnds, mostBytes / Math.Abs((long)Stride)));
    }

    /// <summary>A rectangle of this layout that users ask for.</summary>
    /// <param name="x">The first column.</param>
    /// <param name="y">The first row.</param>
    /// <param name="width">Columns.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <exception cref="ArgumentOutOfRangeException">The rectangle is empty or leaves the image.</exception>
    public PixelLayout CutRectangle(int x, int y, int width, int height, int pixelBytes)
    {
        CheckRange(x, width, Width, nameof(x), nameof(width));
        CheckRange(y, height, Height, nameof(y), nameof(height));
        return Cut(x * pixelBytes, y, width, height);
    }

    /// <summary>A rectangle of this layout.</summary>
    public PixelLayout Cut(int columnBytes, int firstRow, int width, int height) =>
        this with { FirstRow = FirstRow + firstRow, ColumnBytes = ColumnBytes + columnBytes, Width = width, Height = height };

    /// <summary>The same rows, each of which belongs to so many rows of the picture.</summary>
    public PixelLayout Subsample(int rowsOfOne) => this with { RowsOfOne = rowsOfOne };

    /// <summary>The same rows as pixels of another size.</summary>
    /// <param name="pixelBytes">Bytes of a pixel now.</param>
    /// <param name="castBytes">Bytes of a pixel then.</param>
    /// <exception cref="InvalidMemoryOperationException">They do not divide a row.</exception>
    public PixelLayout Cast(int pixelBytes, int castBytes)
    {
        int rowBytes = Width * pixelBytes;
        if (rowBytes % castBytes != 0)
        {
            Throw.InvalidMemoryOperation(
                $"A row of {Plural.Of(Width, "pixel")} of {Plural.Of(pixelBytes, "byte")} is {Plural.Of(rowBytes, "byte")}: no whole number of pixels of {Plural.Of(castBytes, "byte")}.");
        }

        return Cut(columnBytes: 0, firstRow: 0, rowBytes / castBytes, Height);
    }

    /// <summary>The block in which a row of the memory lies; 0 when all rows are in one piece.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int BlockOf(int memoryRow) => (int)(((ulong)(uint)memoryRow * _multiplier) >> _shift);

    private static void CheckRange(int start, int length, int limit, string startName, string lengthName)
    {
        if ((uint)start >= (uint)limit)
        {
            Throw.OutOfRange(startName, start, $"The rectangle starts outside of the image: {startName} must be 0 to {limit - 1}.");
        }

        if (length < 1 || length > limit - start)
        {
            Throw.OutOfRange(lengthName, length, $"The rectangle is empty or goes past the edge of the image: {lengthName} must be 1 to {limit - start}.");
        }
    }

    private static int CeilingLog2(uint value) => value <= 1 ? 0 : BitOperations.Log2(value - 1) + 1;
}

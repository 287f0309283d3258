using System.Runtime.CompilerServices;

namespace PixelPool.Pooling;

/// <summary>
/// How the rows of an image, or of a view or band of one, lie in memory. Rows never straddle blocks: every block holds the same number of whole rows.
/// </summary>
internal readonly struct PixelLayout
{
    private readonly uint _multiplier;
    private readonly byte _shift;

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
            int log = CeilingLog2((uint)rowsPerBlock);
            _shift = (byte)(31 + log);
            _multiplier = (uint)(((1UL << _shift) + (uint)rowsPerBlock - 1) / (uint)rowsPerBlock);
        }
    }

    private PixelLayout(in PixelLayout of, int firstRow, int columnBytes, int width, int height)
    {
        this = of;
        FirstRow = firstRow;
        ColumnBytes = columnBytes;
        Width = width;
        Height = height;
    }

    /// <summary>Pixels of a row.</summary>
    public int Width { get; }

    /// <summary>Rows.</summary>
    public int Height { get; }

    /// <summary>Bytes from the start of a row to the start of the next one in the same block.</summary>
    public int Stride { get; }

    /// <summary>Whole rows one block holds.</summary>
    public int RowsPerBlock { get; }

    /// <summary>The row of the memory that is row 0 here.</summary>
    public int FirstRow { get; }

    /// <summary>Bytes from the start of a row of the memory to column 0 here.</summary>
    public int ColumnBytes { get; }

    /// <summary>A rectangle of this layout.</summary>
    public PixelLayout Cut(int columnBytes, int firstRow, int width, int height) =>
        new(in this, FirstRow + firstRow, ColumnBytes + columnBytes, width, height);

    /// <summary>The block in which a row of the memory lies. Only for layouts that are divided.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int BlockOf(int memoryRow) => (int)(((ulong)(uint)memoryRow * _multiplier) >> _shift);

    private static int CeilingLog2(uint value)
    {
#if NET
        return 32 - System.Numerics.BitOperations.LeadingZeroCount(value - 1);
#else
        int log = 0;
        while ((1UL << log) < value)
        {
            log++;
        }

        return log;
#endif
    }
}

using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Rows",
    """
    All rows of an image, one after the other: 4,096 rows of 256 pixels of 4 bytes, in one block or cut into 16 blocks of 256 KiB, so
    that both are the same work on the same amount of memory. Each row's first pixel is read, or all of its pixels are summed. Times are
    per row; *pointer* knows where the blocks lie and checks nothing.
    """)]
public unsafe class Rows
{
    private const int RowCount = 4096;
    private const int RowPixels = 256;
    private const int ImageBytes = RowCount * RowPixels * sizeof(uint);

    private PixelBuffer<uint> _image = null!;
    private PinnedPixels[] _pins = null!;
    private uint[] _array = null!;

    [Params(1, 16)]
    public int Blocks { get; set; }

    [Params("first pixel", "sum")]
    public string Read { get; set; } = "";

    [GlobalSetup]
    public void Setup()
    {
        var options = new PixelAllocatorOptions { BlockBytes = ImageBytes / Blocks, SmallBuffers = SmallBufferStrategy.None };
        var allocator = PixelAllocator.Create(options);
        _image = allocator.Rent<uint>(RowPixels, RowCount);
        _image.Fill(1);
        _pins = [.. Enumerable.Range(0, Blocks).Select(block => PinBlock(block * _image.RowsPerBlock))];
        _array = new uint[RowCount * RowPixels];
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        Array.ForEach(_pins, static pin => pin.Dispose());
        _image.Dispose();
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = RowCount, Description = "pointer")]
    public uint Pointer()
    {
        uint total = 0;
        bool sum = IsSum;
        foreach (PinnedPixels pin in _pins)
        {
            byte* row = (byte*)pin.Pointer;
            for (int y = 0; y < pin.Height; y++)
            {
                total += sum ? Sum(new Span<uint>(row, RowPixels)) : *(uint*)row;
                row += pin.Stride;
            }
        }

        return total;
    }

    [Benchmark(OperationsPerInvoke = RowCount, Description = "GetRowSpan")]
    public uint GetRowSpan()
    {
        uint total = 0;
        _image.ProcessPixelRows(new Total(&total, IsSum), static (accessor, total) =>
        {
            uint local = 0;
            for (int y = 0; y < accessor.Height; y++)
            {
                Span<uint> row = accessor.GetRowSpan(y);
                local += total.IsSum ? Sum(row) : row[0];
            }

            *total.Value = local;
        });
        return total;
    }

    [Benchmark(OperationsPerInvoke = RowCount, Description = "foreach row")]
    public uint Enumerator()
    {
        uint total = 0;
        _image.ProcessPixelRows(new Total(&total, IsSum), static (accessor, total) =>
        {
            uint local = 0;
            foreach (Span<uint> row in accessor)
            {
                local += total.IsSum ? Sum(row) : row[0];
            }

            *total.Value = local;
        });
        return total;
    }

    [Benchmark(OperationsPerInvoke = RowCount, Description = "DangerousGetRowSpan")]
    public uint DangerousGetRowSpan()
    {
        uint total = 0;
        bool sum = IsSum;
        for (int y = 0; y < _image.Height; y++)
        {
            Span<uint> row = _image.DangerousGetRowSpan(y);
            total += sum ? Sum(row) : row[0];
        }

        return total;
    }

    [Benchmark(OperationsPerInvoke = RowCount, Description = "slices of one array")]
    public uint ArraySlices()
    {
        uint total = 0;
        bool sum = IsSum;
        for (int y = 0; y < RowCount; y++)
        {
            Span<uint> row = _array.AsSpan(y * RowPixels, RowPixels);
            total += sum ? Sum(row) : row[0];
        }

        return total;
    }

    private bool IsSum => Read == "sum";

    private PinnedPixels PinBlock(int firstRow)
    {
        using PixelBuffer<uint> block = _image.View(0, firstRow, RowPixels, RowCount / Blocks);
        return block.Pin();
    }

    private static uint Sum(Span<uint> pixels)
    {
        uint sum = 0;
        foreach (uint pixel in pixels)
        {
            sum += pixel;
        }

        return sum;
    }

    private readonly struct Total(uint* value, bool isSum)
    {
        public readonly uint* Value = value;
        public readonly bool IsSum = isSum;
    }
}

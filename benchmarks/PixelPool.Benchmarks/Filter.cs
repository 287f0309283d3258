using BenchmarkDotNet.Attributes;
using CommunityToolkit.HighPerformance;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Neighbour rows",
    """
    Sobel's operator over a grey image of 12 million pixels, as the [recipes](../../recipes.md#filters-that-look-at-neighbours) show it, with one thread and more. The peers run the same
    operator over pointers to pinned pixels, and over the `Memory2D<T>` of the .NET Community Toolkit, which cannot outlive its array either. Nobody copies.
    """)]
public unsafe class Filter
{
    private const int Columns = 4000;
    private const int RowCount = 3000;

    private readonly Memory2D<byte> _from = new byte[RowCount, Columns];
    private readonly Memory2D<byte> _to = new byte[RowCount, Columns];
    private PixelBuffer<byte> _grey = null!;
    private PixelBuffer<byte> _edges = null!;
    private PinnedPixels _pinnedGrey = null!;
    private PinnedPixels _pinnedEdges = null!;

    public static IEnumerable<int> Degrees => new[] { 1, 2, Environment.ProcessorCount }.Distinct();

    [ParamsSource(nameof(Degrees))]
    public int Degree { get; set; }

    private ParallelOptions Options => new() { MaxDegreeOfParallelism = Degree };

    [GlobalSetup]
    public void Setup()
    {
        _grey = Pool.Allocator.Rent<byte>(Columns, RowCount);
        _edges = Pool.Allocator.Rent<byte>(Columns, RowCount);
        _pinnedGrey = Pinned();
        _pinnedEdges = Pinned();
        var random = new Random(1);
        for (int y = 0; y < RowCount; y++)
        {
            Span<byte> row = _from.Span.GetRowSpan(y);
            random.NextBytes(row);
            row.CopyTo(_grey.DangerousGetRowSpan(y));
            row.CopyTo(new Span<byte>((byte*)_pinnedGrey.Pointer + ((nint)y * _pinnedGrey.Stride), Columns));
        }
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _grey.Dispose();
        _edges.Dispose();
        _pinnedGrey.Dispose();
        _pinnedEdges.Dispose();
    }

    [Benchmark(Baseline = true, Description = "FilterPixelRowsInParallel")]
    public void InParallel() => _edges.FilterPixelRowsInParallel(_grey, static (band, source) => Sobel(band, source), Degree);

    [Benchmark(Description = "FilterPixelRows (one thread)")]
    public void OneThread() => _edges.FilterPixelRows(_grey, static (band, source) => Sobel(band, source));

    [Benchmark(Description = "Parallel.For over pinned pointers")]
    public void Pointers() => Parallel.For(0, RowCount, Options, y =>
    {
        byte* middle = (byte*)_pinnedGrey.Pointer + ((nint)y * _pinnedGrey.Stride);
        byte* above = y == 0 ? middle : middle - _pinnedGrey.Stride;
        byte* below = y == RowCount - 1 ? middle : middle + _pinnedGrey.Stride;
        Sobel(above, middle, below, (byte*)_pinnedEdges.Pointer + ((nint)y * _pinnedEdges.Stride));
    });

    [Benchmark(Description = "Parallel.For over rows of Memory2D")]
    public void Memory2D() => Parallel.For(0, RowCount, Options, y =>
    {
        Span2D<byte> source = _from.Span;
        Sobel(source.GetRowSpan(Math.Max(y - 1, 0)), source.GetRowSpan(y), source.GetRowSpan(Math.Min(y + 1, RowCount - 1)), _to.Span.GetRowSpan(y));
    });

    private static PinnedPixels Pinned()
    {
        using PixelBuffer<byte> image = Pool.Allocator.Rent<byte>(Columns, RowCount, AllocationOptions.Contiguous);
        image.Clear();
        return image.Pin();
    }

    private static void Sobel(PixelAccessor<byte> band, ReadOnlyPixelAccessor<byte> source)
    {
        for (int y = 0; y < band.Height; y++)
        {
            int row = band.FirstRow + y;
            Sobel(source.GetRowSpanClamped(row - 1), source.GetRowSpan(row), source.GetRowSpanClamped(row + 1), band.GetRowSpan(y));
        }
    }

    private static void Sobel(ReadOnlySpan<byte> above, ReadOnlySpan<byte> middle, ReadOnlySpan<byte> below, Span<byte> target)
    {
        for (int x = 0; x < target.Length; x++)
        {
            int left = Math.Max(x - 1, 0);
            int right = Math.Min(x + 1, target.Length - 1);
            int across = above[right] - above[left] + (2 * (middle[right] - middle[left])) + below[right] - below[left];
            int down = below[left] - above[left] + (2 * (below[x] - above[x])) + below[right] - above[right];
            target[x] = (byte)Math.Min(Math.Abs(across) + Math.Abs(down), 255);
        }
    }

    private static void Sobel(byte* above, byte* middle, byte* below, byte* target)
    {
        for (int x = 0; x < Columns; x++)
        {
            int left = Math.Max(x - 1, 0);
            int right = Math.Min(x + 1, Columns - 1);
            int across = above[right] - above[left] + (2 * (middle[right] - middle[left])) + below[right] - below[left];
            int down = below[left] - above[left] + (2 * (below[x] - above[x])) + below[right] - above[right];
            target[x] = (byte)Math.Min(Math.Abs(across) + Math.Abs(down), 255);
        }
    }
}

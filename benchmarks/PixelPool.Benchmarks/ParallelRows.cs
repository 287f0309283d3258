using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Rows on several threads",
    """
    All pixels of an image of 64 MiB are inverted, with one thread and more. `ProcessPixelRowsInParallel` cuts the image into bands; the
    peers are one thread, and `Parallel.For` over the rows of an array.
    """)]
public class ParallelRows
{
    private const int RowPixels = 4096;
    private const int RowCount = 4096;

    private readonly uint[] _array = new uint[RowPixels * RowCount];
    private PixelBuffer<uint> _image = null!;

    public static IEnumerable<int> Degrees => new[] { 1, 2, Environment.ProcessorCount }.Distinct();

    [ParamsSource(nameof(Degrees))]
    public int Degree { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _image = Pool.Allocator.Rent<uint>(RowPixels, RowCount);
        _image.Fill(1);
        _array.AsSpan().Fill(1);
    }

    [GlobalCleanup]
    public void Cleanup() => _image.Dispose();

    [Benchmark(Baseline = true, Description = "ProcessPixelRows (one thread)")]
    public void OneThread() => _image.ProcessPixelRows(static accessor => Invert(accessor));

    [Benchmark(Description = "ProcessPixelRowsInParallel")]
    public void InParallel() => _image.ProcessPixelRowsInParallel(static band => Invert(band), Degree);

    [Benchmark(Description = "Parallel.For over an array's rows")]
    public void ParallelFor() =>
        Parallel.For(0, RowCount, new ParallelOptions { MaxDegreeOfParallelism = Degree }, y => Invert(_array.AsSpan(y * RowPixels, RowPixels)));

    private static void Invert(PixelAccessor<uint> accessor)
    {
        foreach (Span<uint> row in accessor)
        {
            Invert(row);
        }
    }

    private static void Invert(Span<uint> row)
    {
        for (int x = 0; x < row.Length; x++)
        {
            row[x] = ~row[x];
        }
    }
}

using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Delegates",
    """
    What a call of `ProcessPixelRows` costs beyond the work: its delegates do nothing. The baseline is a call of a delegate that gets a
    span of an array. An image is 256 × 256 pixels of 4 bytes.
    """)]
public class Delegates
{
    private const int Side = 256;

    private readonly uint[] _array = new uint[Side * Side];
    private readonly SpanAction<uint> _onSpan = static pixels => { };
    private PixelBuffer<uint> _image = null!;
    private PixelLease<uint> _lease;
    private PixelBuffer<uint> _blocks = null!;
    private int _calls;

    [GlobalSetup]
    public void Setup()
    {
        _image = Pool.Allocator.Rent<uint>(Side, Side);
        _lease = Pool.Allocator.Lease<uint>(Side, Side);
        _blocks = Pool.Allocator.Rent<uint>(Side, 16 * Pool.BlockBytes / Side / sizeof(uint));
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _image.Dispose();
        _lease.Dispose();
        _blocks.Dispose();
    }

    [Benchmark(Baseline = true, Description = "a delegate on a span")]
    public void Direct() => _onSpan(_array);

    [Benchmark(Description = "static lambda")]
    public void StaticLambda() => _image.ProcessPixelRows(static accessor => { });

    [Benchmark(Description = "static lambda, 16 blocks")]
    public void StaticLambdaOnBlocks() => _blocks.ProcessPixelRows(static accessor => { });

    [Benchmark(Description = "static lambda, PixelLease")]
    public void StaticLambdaOnLease() => _lease.ProcessPixelRows(static accessor => { });

    [Benchmark(Description = "static lambda with state")]
    public void WithState() => _image.ProcessPixelRows(this, static (accessor, state) => state._calls++);

    [Benchmark(Description = "capturing lambda")]
    public int Capturing()
    {
        int rows = 0;
        _image.ProcessPixelRows(accessor => rows = accessor.Height);
        return rows;
    }

    [Benchmark(Description = "static lambda on two images")]
    public void TwoImages() => _image.ProcessPixelRows(_blocks, static (first, second) => { });

    [Benchmark(Description = "static lambda on the same image twice")]
    public void SameImageTwice() => _image.ProcessPixelRows(_image, static (first, second) => { });

    [Benchmark(Description = "static lambda on one span (TryProcessSinglePixelSpan)")]
    public bool SingleSpan() => _image.TryProcessSinglePixelSpan(static pixels => { });
}

using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Guarded rents",
    """
    An image of 4-byte pixels is rented, filled and returned: without guarded rents (0), with one in 1,000 (what a service would set), and with nothing else (1: tests). A guarded rent takes its
    pages from the system, so each of them costs a page fault, and looks at two stacks.
    """,
    Across = nameof(Sampling))]
public class GuardedRents
{
    private PixelAllocator? _allocator;

    [Params(0, 1000, 1)]
    public int Sampling { get; set; }

    [GlobalSetup]
    public void Setup() => _allocator = PixelAllocator.Create(new PixelAllocatorOptions { GuardedRentSampling = Sampling });

    [Benchmark(Baseline = true, Description = "64 x 64, PixelLease")]
    public void Small() => Rent(64, 64);

    [Benchmark(Description = "1024 x 768, PixelLease")]
    public void Medium() => Rent(1024, 768);

    [GlobalCleanup]
    public void Cleanup() => _allocator!.Dispose();

    private void Rent(int width, int height)
    {
        using PixelLease<uint> image = _allocator!.Lease<uint>(width, height);
        image.Fill(1);
    }
}

using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "With a budget",
    """
    The same rents from an allocator without a budget and from one with a budget of 1 GiB, untouched. *Mean* is the time from one return to the next of all
    threads together. Hosts have a budget by default: a hit must cost the same with it, and two threads must not meet at it.
    """,
    Across = nameof(Threads))]
public class WithBudget
{
    private const int Pairs = 1 << 16;

    private static readonly PixelAllocator s_unlimited = Pool.Allocator;
    private static readonly PixelAllocator s_limited = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 1 << 30, MaxRentedBytes = 1 << 30 });

    private Crew _crew = null!;

    [Params(1, 2)]
    public int Threads { get; set; }

    [GlobalSetup]
    public void Setup() => _crew = new Crew(Threads);

    [Benchmark(Baseline = true, OperationsPerInvoke = Pairs, Description = "PixelLease, 4 MiB")]
    public void Lease() => Work(static () => s_unlimited.Lease<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes).Dispose());

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelLease, 4 MiB, budget")]
    public void LimitedLease() => Work(static () => s_limited.Lease<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes).Dispose());

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelBuffer, 4 MiB")]
    public void Buffer() => Work(static () => s_unlimited.Rent<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes).Dispose());

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelBuffer, 4 MiB, budget")]
    public void LimitedBuffer() => Work(static () => s_limited.Rent<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes).Dispose());

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelLease, 40 KiB")]
    public void SmallLease() => Work(static () => s_unlimited.Lease<byte>(Pages.Bytes, 10).Dispose());

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelLease, 40 KiB, budget")]
    public void LimitedSmallLease() => Work(static () => s_limited.Lease<byte>(Pages.Bytes, 10).Dispose());

    [GlobalCleanup]
    public void Cleanup() => _crew.Dismiss();

    private void Work(Action rentAndReturn) => _crew.Work(() =>
    {
        for (int i = Pairs / Threads; i > 0; i--)
        {
            rentAndReturn();
        }
    });
}

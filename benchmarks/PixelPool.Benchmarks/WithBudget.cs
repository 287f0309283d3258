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
    private const int WarmUpRounds = 20;

    private static readonly PixelAllocator s_unlimited = Pool.Allocator;
    private static readonly PixelAllocator s_limited = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 1 << 30, MaxRentedBytes = 1 << 30 });

    private static readonly Action s_lease = static () => s_unlimited.Lease<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes).Dispose();
    private static readonly Action s_limitedLease = static () => s_limited.Lease<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes).Dispose();
    private static readonly Action s_buffer = static () => s_unlimited.Rent<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes).Dispose();
    private static readonly Action s_limitedBuffer = static () => s_limited.Rent<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes).Dispose();
    private static readonly Action s_smallLease = static () => s_unlimited.Lease<byte>(Pages.Bytes, 10).Dispose();
    private static readonly Action s_limitedSmallLease = static () => s_limited.Lease<byte>(Pages.Bytes, 10).Dispose();

    private Crew _crew = null!;

    [Params(1, 2)]
    public int Threads { get; set; }

    // The runtime compiles code well when it has run for a while: rounds as long as these would be over before that.
    [GlobalSetup]
    public void Setup()
    {
        _crew = new Crew(Threads);
        for (int round = 0; round < WarmUpRounds; round++)
        {
            foreach (Action each in (Action[])[s_lease, s_limitedLease, s_buffer, s_limitedBuffer, s_smallLease, s_limitedSmallLease])
            {
                Work(each);
            }
        }
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Pairs, Description = "PixelLease, 4 MiB")]
    public void Lease() => Work(s_lease);

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelLease, 4 MiB, budget")]
    public void LimitedLease() => Work(s_limitedLease);

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelBuffer, 4 MiB")]
    public void Buffer() => Work(s_buffer);

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelBuffer, 4 MiB, budget")]
    public void LimitedBuffer() => Work(s_limitedBuffer);

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelLease, 40 KiB")]
    public void SmallLease() => Work(s_smallLease);

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelLease, 40 KiB, budget")]
    public void LimitedSmallLease() => Work(s_limitedSmallLease);

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

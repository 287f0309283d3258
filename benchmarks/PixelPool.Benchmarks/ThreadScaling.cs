using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Threads",
    """
    Threads rent and return one block of 4 MiB each, untouched, as fast as they can. *Mean* is the time from one return to the next of
    all threads together: with twice the threads (up to the number of cores) it should be half. *p99* is of single pairs of rent and
    return, timed one by one in a round of its own; a clock's two readings are in it.
    """,
    Across = nameof(Threads),
    HasThroughput = true)]
public class ThreadScaling
{
    private const int Pairs = 1 << 16;

    private Crew _crew = null!;
    private Action<long[]> _sample = static times => { };

    public static IEnumerable<int> ThreadCounts
    {
        get
        {
            for (int threads = 1; threads <= 4 * Environment.ProcessorCount; threads *= 2)
            {
                yield return threads;
            }
        }
    }

    [ParamsSource(nameof(ThreadCounts))]
    public int Threads { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _crew = new Crew(Threads);
        NativeBytes.Watch(Pool.Allocator);
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Pairs, Description = "PixelBuffer")]
    public void PixelBuffer() => RentAndReturn<BufferRental>();

    [Benchmark(OperationsPerInvoke = Pairs, Description = "PixelLease")]
    public void PixelLease() => RentAndReturn<LeaseRental>();

    [Benchmark(OperationsPerInvoke = Pairs, Description = "ArrayPool.Shared")]
    public void SharedArrayPool() => RentAndReturn<ArrayPoolRental>();

    [Benchmark(OperationsPerInvoke = Pairs, Description = "MemoryPool.Shared")]
    public void SharedMemoryPool() => RentAndReturn<MemoryPoolRental>();

    [Benchmark(OperationsPerInvoke = Pairs, Description = "MemoryOwner")]
    public void MemoryOwner() => RentAndReturn<MemoryOwnerRental>();

    [Benchmark(OperationsPerInvoke = Pairs, Description = "NativeMemory.Alloc")]
    public void NativeAlloc() => RentAndReturn<NativeRental>();

    [GlobalCleanup]
    public void MeasureTail()
    {
        RunMeter.Report(Figure.P99.Id, _crew.Percentile99(_sample));
        _crew.Dismiss();
    }

    private void RentAndReturn<TRental>()
        where TRental : struct, IRental<TRental>
    {
        _sample = Sample<TRental>;
        _crew.Work(RentAndReturnShare<TRental>);
    }

    private void RentAndReturnShare<TRental>()
        where TRental : struct, IRental<TRental>
    {
        for (int i = Pairs / Threads; i > 0; i--)
        {
            TRental.Rent(Pool.BlockBytes).Return();
        }
    }

    private static void Sample<TRental>(long[] times)
        where TRental : struct, IRental<TRental>
    {
        for (int i = 0; i < times.Length; i++)
        {
            long start = TimeProvider.System.GetTimestamp();
            TRental.Rent(Pool.BlockBytes).Return();
            times[i] = TimeProvider.System.GetTimestamp() - start;
        }
    }
}

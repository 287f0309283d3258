using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Running;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Rented here, returned there",
    """
    One thread rents buffers and sends them through a ring of 8 to a second thread, which returns them, as the stages of a pipeline do.
    One operation is one buffer. The host of a virtual machine moves its processors while a benchmark runs, and how far the two are from each other can change a row
    by a factor of four: [Small memory](stress-small.md) tells these apart.
    """,
    Across = nameof(Size))]
public class CrossThread
{
    private const int Batch = 100;

    [Params(64 << 10, 4 << 20)]
    public int Size { get; set; }

    [Params(false, true)]
    public bool Touched { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        if (Size > Pool.SmallBytes)
        {
            NativeBytes.Watch(Pool.Allocator);
        }
    }

    [Benchmark(OperationsPerInvoke = Batch, Baseline = true, Description = "PixelBuffer")]
    public void PixelBuffer() => SendBatch<BufferRental>();

    [Benchmark(OperationsPerInvoke = Batch, Description = "PixelLease")]
    public void PixelLease() => SendBatch<LeaseRental>();

    [Benchmark(OperationsPerInvoke = Batch, Description = "ArrayPool.Shared")]
    public void SharedArrayPool() => SendBatch<ArrayPoolRental>();

    [Benchmark(OperationsPerInvoke = Batch, Description = "MemoryPool.Shared")]
    public void SharedMemoryPool() => SendBatch<MemoryPoolRental>();

    [Benchmark(OperationsPerInvoke = Batch, Description = "MemoryOwner")]
    public void MemoryOwner() => SendBatch<MemoryOwnerRental>();

    [Benchmark(OperationsPerInvoke = Batch, Description = "NativeMemory.Alloc")]
    [BenchmarkCategory(PreloadFilter.Category)]
    public void NativeAlloc() => SendBatch<NativeRental>();

    [Benchmark(OperationsPerInvoke = Batch, Description = "NativeMemory.AlignedAlloc")]
    public void NativeAlignedAlloc() => SendBatch<AlignedNativeRental>();

    [Benchmark(OperationsPerInvoke = Batch, Description = "uninitialised array")]
    public void UninitializedArray() => SendBatch<UninitializedArrayRental>();

    private void SendBatch<TRental>()
        where TRental : struct, IRental<TRental>
    {
        ReturningThread<TRental> other = ReturningThread<TRental>.Instance;
        for (int i = 0; i < Batch; i++)
        {
            TRental rental = TRental.Rent(Size);
            if (Touched)
            {
                rental.Touch(Size);
            }

            other.Send(rental);
        }

        other.WaitUntilAllReturned();
    }
}

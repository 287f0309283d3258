using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "The displayed frame",
    """
    A frame of 1920 × 1080 pixels of 4 bytes is on display. An update rents the next one, writes a page of it, puts it in place of the
    displayed one and returns that: 1,000 updates, figures per update.
    """)]
public class DisplayedFrame
{
    private const int Updates = 1000;
    private const int FrameBytes = 1920 * 1080 * sizeof(uint);

    [GlobalSetup]
    public void Setup() => NativeBytes.Watch(Pool.Allocator);

    [Benchmark(Baseline = true, OperationsPerInvoke = Updates, Description = "PixelLease")]
    public void PixelLease() => Update<LeaseRental>();

    [Benchmark(OperationsPerInvoke = Updates, Description = "PixelBuffer")]
    public void PixelBuffer() => Update<BufferRental>();

    [Benchmark(OperationsPerInvoke = Updates, Description = "ArrayPool.Shared")]
    public void SharedArrayPool() => Update<ArrayPoolRental>();

    [Benchmark(OperationsPerInvoke = Updates, Description = "MemoryPool.Shared")]
    public void SharedMemoryPool() => Update<MemoryPoolRental>();

    [Benchmark(OperationsPerInvoke = Updates, Description = "MemoryOwner")]
    public void MemoryOwner() => Update<MemoryOwnerRental>();

    [Benchmark(OperationsPerInvoke = Updates, Description = "NativeMemory.Alloc")]
    public void NativeAlloc() => Update<NativeRental>();

    [Benchmark(OperationsPerInvoke = Updates, Description = "uninitialised array")]
    public void UninitializedArray() => Update<UninitializedArrayRental>();

    private static void Update<TRental>()
        where TRental : struct, IRental<TRental>
    {
        TRental displayed = TRental.Rent(FrameBytes);
        for (int i = 0; i < Updates; i++)
        {
            TRental next = TRental.Rent(FrameBytes);
            next.FillFirstPage((byte)i);
            TRental previous = displayed;
            displayed = next;
            previous.Return();
        }

        displayed.Return();
    }
}

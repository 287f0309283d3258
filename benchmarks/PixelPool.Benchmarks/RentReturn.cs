using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Running;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Rent and return one buffer",
    """
    One buffer is rented and returned, again and again, by one thread: the cheapest case of every pool. *Touched* means that one byte of
    every page is written in between, which is what pools that keep their memory save. A C library keeps one freed buffer of a few MiB,
    too; [Groups](groups.md) shows what happens when several are held together. A few bytes of *Managed* are samples for leak reports: at most about 0.1 MiB a second
    (`LeakTracking.Sampled`).
    """,
    Across = nameof(Size))]
public class RentReturn
{
    [Params(64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 128 << 20)]
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

    [Benchmark(Baseline = true, Description = "PixelBuffer")]
    public void PixelBuffer() => RentAndReturn<BufferRental>();

    [Benchmark(Description = "PixelLease")]
    public void PixelLease() => RentAndReturn<LeaseRental>();

    [Benchmark(Description = "ArrayPool.Shared")]
    public void SharedArrayPool() => RentAndReturn<ArrayPoolRental>();

    [Benchmark(Description = "MemoryPool.Shared")]
    public void SharedMemoryPool() => RentAndReturn<MemoryPoolRental>();

    [Benchmark(Description = "MemoryOwner")]
    public void MemoryOwner() => RentAndReturn<MemoryOwnerRental>();

    [Benchmark(Description = "NativeMemory.Alloc")]
    [BenchmarkCategory(PreloadFilter.Category)]
    public void NativeAlloc() => RentAndReturn<NativeRental>();

    [Benchmark(Description = "NativeMemory.AlignedAlloc")]
    public void NativeAlignedAlloc() => RentAndReturn<AlignedNativeRental>();

    [Benchmark(Description = "uninitialised array")]
    public void UninitializedArray() => RentAndReturn<UninitializedArrayRental>();

    [Benchmark(Description = "new byte[]")]
    public void NewArray() => RentAndReturn<ArrayRental>();

    private void RentAndReturn<TRental>()
        where TRental : struct, IRental<TRental>
    {
        TRental rental = TRental.Rent(Size);
        if (Touched)
        {
            rental.Touch(Size);
        }

        rental.Return();
    }
}

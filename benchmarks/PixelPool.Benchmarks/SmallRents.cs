using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Rent and return little memory",
    """
    One piece of memory is rented and returned, untouched, again and again, by one thread. *Arrays* and *slabs* are the values of `SmallBufferStrategy`.
    PixelPool guards each of these rents against misuse and leaks as it does large ones. How they do on several threads, and in other orders, is in
    [Small memory](stress-small.md).
    """,
    Across = nameof(Size))]
public class SmallRents
{
    [Params(64, 1 << 10, 4 << 10, 40 << 10, 256 << 10, 1 << 20)]
    public int Size { get; set; }

    [Benchmark(Baseline = true, Description = "ArrayPool.Shared")]
    public void SharedArrayPool() => ArrayPoolRental.Rent(Size).Return();

    [Benchmark(Description = "NativeMemory.Alloc")]
    public void NativeAlloc() => NativeRental.Rent(Size).Return();

    [Benchmark(Description = "PixelLease, arrays")]
    public void LeaseFromArrays() => Pool.Allocator.Lease<byte>(Size, 1).Dispose();

    [GlobalSetup(Targets = [nameof(LeaseFromSlabs), nameof(BufferFromSlabs)])]
    public void WatchSlabs() => NativeBytes.Watch(Pool.Slabs);

    [Benchmark(Description = "PixelLease, slabs")]
    public void LeaseFromSlabs() => Pool.Slabs.Lease<byte>(Size, 1).Dispose();

    [Benchmark(Description = "PixelBuffer, slabs")]
    public void BufferFromSlabs() => Pool.Slabs.Rent<byte>(Size, 1).Dispose();
}

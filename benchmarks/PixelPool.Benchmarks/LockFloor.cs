using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Against the floor: two locked operations",
    """
    The least that a pool shared by threads can do: take a lock and pop an address from an array, take it again and push it back.
    PixelPool does that with one or many blocks in one round, and guards against misuse and leaks. *Blocks* of 4 MiB, untouched.
    """)]
public class LockFloor
{
    private readonly Lock _lock = new();
    private readonly nint[] _idle = new nint[16];
    private int _count = 8;

    [Params(1, 16, 32)]
    public int Blocks { get; set; }

    [Benchmark(Baseline = true, Description = "lock, pop; lock, push")]
    public void Floor()
    {
        nint block;
        lock (_lock)
        {
            block = _idle[--_count];
        }

        lock (_lock)
        {
            _idle[_count++] = block;
        }
    }

    [Benchmark(Description = "PixelBuffer")]
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
    public void NativeAlloc() => RentAndReturn<NativeRental>();

    private void RentAndReturn<TRental>()
        where TRental : struct, IRental<TRental> => TRental.Rent(Blocks * Pool.BlockBytes).Return();
}

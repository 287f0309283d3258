using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Giving memory back",
    """
    64 blocks of 4 MiB were rented by one thread or by 8, and every page was written. One operation returns all of them and gives the
    memory back to the system, where the library can do that. *Resident* is what the process holds after that: some 50 MiB of it are the
    runtime and the benchmark, *Peak* is with all blocks held.
    """)]
[InvocationCount(1)]
public class Trimming
{
    private const int Blocks = 64;

    [Params(1, 8)]
    public int Threads { get; set; }

    [IterationSetup(Target = nameof(PixelBuffer))]
    public void RentBuffers() => Rent<BufferRental>();

    [Benchmark(Baseline = true, Description = "PixelBuffer and Trim")]
    public void PixelBuffer()
    {
        Return<BufferRental>();
        Pool.Allocator.Trim();
    }

    [IterationSetup(Target = nameof(PixelLease))]
    public void RentLeases() => Rent<LeaseRental>();

    [Benchmark(Description = "PixelLease and Trim")]
    public void PixelLease()
    {
        Return<LeaseRental>();
        Pool.Allocator.Trim();
    }

    [IterationSetup(Target = nameof(NativeAlloc))]
    public void RentNative() => Rent<NativeRental>();

    [Benchmark(Description = "NativeMemory.Free")]
    public void NativeAlloc() => Return<NativeRental>();

    [IterationSetup(Target = nameof(NativeAlignedAlloc))]
    public void RentAligned() => Rent<AlignedNativeRental>();

    [Benchmark(Description = "NativeMemory.AlignedFree")]
    public void NativeAlignedAlloc() => Return<AlignedNativeRental>();

    [IterationSetup(Target = nameof(UninitializedArrays))]
    public void RentArrays() => Rent<UninitializedArrayRental>();

    [Benchmark(Description = "uninitialised arrays and GC.Collect")]
    public void UninitializedArrays()
    {
        Return<UninitializedArrayRental>();
        GC.Collect();
    }

    [IterationSetup(Target = nameof(SharedArrayPool))]
    public void RentPooledArrays() => Rent<ArrayPoolRental>();

    [Benchmark(Description = "ArrayPool.Shared and GC.Collect")]
    public void SharedArrayPool()
    {
        Return<ArrayPoolRental>();
        GC.Collect();
    }

    private void Rent<TRental>()
        where TRental : struct, IRental<TRental>
    {
        if (Threads == 1)
        {
            RentShare<TRental>(0);
            return;
        }

        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(number => new Thread(() => RentShare<TRental>(number)))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
    }

    private void RentShare<TRental>(int number)
        where TRental : struct, IRental<TRental>
    {
        for (int i = number; i < Blocks; i += Threads)
        {
            Held<TRental>.Rentals[i] = TRental.Rent(Pool.BlockBytes);
            Held<TRental>.Rentals[i].Touch(Pool.BlockBytes);
        }
    }

    private static void Return<TRental>()
        where TRental : struct, IRental<TRental>
    {
        foreach (TRental rental in Held<TRental>.Rentals)
        {
            rental.Return();
        }

        Array.Clear(Held<TRental>.Rentals);
    }

    private static class Held<TRental>
    {
        public static readonly TRental[] Rentals = new TRental[Blocks];
    }
}

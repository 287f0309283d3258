using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Giving memory back",
    """
    64 blocks of 4 MiB were rented by one thread or by 8, and every page was written. One operation returns all of them and gives the
    memory back to the system, with the strongest call that there is for it: `Trim`, `malloc_trim(0)` of glibc, or a `GC.Collect` that is
    aggressive, blocking and compacting. No call empties `ArrayPool.Shared`. *Resident* is what the process holds after that: some 50 MiB
    of it are the runtime and the benchmark, *Peak* is with all blocks held.
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

    [Benchmark(Description = "NativeMemory.Free and malloc_trim")]
    public void NativeAlloc()
    {
        Return<NativeRental>();
        _ = malloc_trim(0);
    }

    [IterationSetup(Target = nameof(NativeAlignedAlloc))]
    public void RentAligned() => Rent<AlignedNativeRental>();

    [Benchmark(Description = "NativeMemory.AlignedFree and malloc_trim")]
    public void NativeAlignedAlloc()
    {
        Return<AlignedNativeRental>();
        _ = malloc_trim(0);
    }

    [IterationSetup(Target = nameof(UninitializedArrays))]
    public void RentArrays() => Rent<UninitializedArrayRental>();

    [Benchmark(Description = "uninitialised arrays and aggressive GC.Collect")]
    public void UninitializedArrays()
    {
        Return<UninitializedArrayRental>();
        Collect();
    }

    [IterationSetup(Target = nameof(SharedArrayPool))]
    public void RentPooledArrays() => Rent<ArrayPoolRental>();

    [Benchmark(Description = "ArrayPool.Shared and aggressive GC.Collect")]
    public void SharedArrayPool()
    {
        Return<ArrayPoolRental>();
        Collect();
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

    // A plain collection keeps nearly all that it frees.
    private static void Collect() => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);

    [DllImport("libc")]
    private static extern int malloc_trim(nuint pad);

    private static class Held<TRental>
    {
        public static readonly TRental[] Rentals = new TRental[Blocks];
    }
}

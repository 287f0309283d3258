using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Running;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Blocks held together",
    """
    K blocks of 4 MiB are rented, held together and then returned: one operation is all K of them. One block alone flatters the C
    library, which keeps it; read the rows of K = 3 and more, touched. *PixelBuffer, one image* is one image of K blocks, which is how
    PixelPool is meant to be used; all other rows rent K times. A few bytes of *Managed* are samples for leak reports: at most about 0.1 MiB a second
    (`LeakTracking.Sampled`).
    """,
    Across = nameof(K))]
public class Groups
{
    private const int MaxBlocks = 16;

    [Params(1, 2, 3, 8, MaxBlocks)]
    public int K { get; set; }

    [Params(false, true)]
    public bool Touched { get; set; }

    [GlobalSetup]
    public void Setup() => NativeBytes.Watch(Pool.Allocator);

    [Benchmark(Description = "PixelBuffer, one image")]
    public void OneImage()
    {
        using PixelBuffer<byte> image = Pool.Allocator.Rent<byte>(Pages.Bytes, K * (Pool.BlockBytes / Pages.Bytes));
        if (Touched)
        {
            image.ProcessPixelRows(Pages.TouchRows);
        }
    }

    [Benchmark(Baseline = true, Description = "PixelBuffer")]
    public void PixelBuffer() => HoldTogether<BufferRental>();

    [Benchmark(Description = "PixelLease")]
    public void PixelLease() => HoldTogether<LeaseRental>();

    [Benchmark(Description = "ArrayPool.Shared")]
    public void SharedArrayPool() => HoldTogether<ArrayPoolRental>();

    [Benchmark(Description = "MemoryPool.Shared")]
    public void SharedMemoryPool() => HoldTogether<MemoryPoolRental>();

    [Benchmark(Description = "MemoryOwner")]
    public void MemoryOwner() => HoldTogether<MemoryOwnerRental>();

    [Benchmark(Description = "NativeMemory.Alloc")]
    [BenchmarkCategory(PreloadFilter.Category)]
    public void NativeAlloc() => HoldTogether<NativeRental>();

    [Benchmark(Description = "NativeMemory.AlignedAlloc")]
    public void NativeAlignedAlloc() => HoldTogether<AlignedNativeRental>();

    [Benchmark(Description = "uninitialised array")]
    public void UninitializedArray() => HoldTogether<UninitializedArrayRental>();

    private void HoldTogether<TRental>()
        where TRental : struct, IRental<TRental>
    {
        Span<TRental> rentals = Held<TRental>.Rentals.AsSpan(0, K);
        for (int i = 0; i < rentals.Length; i++)
        {
            rentals[i] = TRental.Rent(Pool.BlockBytes);
            if (Touched)
            {
                rentals[i].Touch(Pool.BlockBytes);
            }
        }

        foreach (TRental rental in rentals)
        {
            rental.Return();
        }

        rentals.Clear();
    }

    private static class Held<TRental>
    {
        public static readonly TRental[] Rentals = new TRental[MaxBlocks];
    }
}

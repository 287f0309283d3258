using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Running;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Fresh blocks from the system",
    """
    The miss path: 16 blocks of 4 MiB are got from the system, one byte of every page is written, and all of them go back to the system.
    PixelPool trims after every image here, so that nothing is ever reused; pools that cannot do that keep their memory, and say so
    under *Resident*. The rows of mappings are the system calls alone: what the choices inside of a pool cost.
    """)]
public class FreshBlocks
{
    private const int Blocks = 16;

    private readonly Mapping[] _kept = new Mapping[Blocks];

    [GlobalSetup]
    public void Setup() => NativeBytes.Watch(Pool.Allocator);

    [GlobalSetup(Targets = [nameof(DiscardedMappings)])]
    public void MapKept()
    {
        for (int i = 0; i < Blocks; i++)
        {
            _kept[i] = Mapping.Create(Pool.BlockBytes, hugePages: true);
        }
    }

    [Benchmark(Baseline = true, Description = "PixelBuffer and Trim")]
    public void PixelBuffer()
    {
        Hold<BufferRental>();
        Pool.Allocator.Trim();
    }

    [Benchmark(Description = "PixelLease and Trim")]
    public void PixelLease()
    {
        Hold<LeaseRental>();
        Pool.Allocator.Trim();
    }

    [Benchmark(Description = "NativeMemory.Alloc")]
    [BenchmarkCategory(PreloadFilter.Category)]
    public void NativeAlloc() => Hold<NativeRental>();

    [Benchmark(Description = "NativeMemory.AlignedAlloc")]
    [BenchmarkCategory(PreloadFilter.Category)]
    public void NativeAlignedAlloc() => Hold<AlignedNativeRental>();

    [Benchmark(Description = "uninitialised arrays")]
    public void UninitializedArrays() => Hold<UninitializedArrayRental>();

    [Benchmark(Description = "ArrayPool.Shared (reused)")]
    public void SharedArrayPool() => Hold<ArrayPoolRental>();

    [Benchmark(Description = "MemoryPool.Shared (reused)")]
    public void SharedMemoryPool() => Hold<MemoryPoolRental>();

    [Benchmark(Description = "MemoryOwner (reused)")]
    public void MemoryOwner() => Hold<MemoryOwnerRental>();

    [Benchmark(Description = "mappings, huge pages, munmap")]
    public void HugeMappings() => MapEach(hugePages: true);

    [Benchmark(Description = "mappings, 4 KiB pages, munmap")]
    public void SmallPageMappings() => MapEach(hugePages: false);

    [Benchmark(Description = "one mapping of 16 blocks, huge pages, munmap")]
    public void Slab()
    {
        var slab = Mapping.Create(Blocks * Pool.BlockBytes, hugePages: true);
        Pages.Touch(slab.Memory);
        slab.Unmap();
    }

    [Benchmark(Description = "kept mappings, huge pages, MADV_DONTNEED")]
    public void DiscardedMappings()
    {
        foreach (Mapping mapping in _kept)
        {
            Pages.Touch(mapping.Memory);
        }

        foreach (Mapping mapping in _kept)
        {
            mapping.Discard();
        }
    }

    private static void Hold<TRental>()
        where TRental : struct, IRental<TRental>
    {
        TRental[] rentals = Held<TRental>.Rentals;
        for (int i = 0; i < rentals.Length; i++)
        {
            rentals[i] = TRental.Rent(Pool.BlockBytes);
            rentals[i].Touch(Pool.BlockBytes);
        }

        foreach (TRental rental in rentals)
        {
            rental.Return();
        }

        rentals.AsSpan().Clear();
    }

    private static void MapEach(bool hugePages)
    {
        Mapping[] mappings = Held<Mapping>.Rentals;
        for (int i = 0; i < mappings.Length; i++)
        {
            mappings[i] = Mapping.Create(Pool.BlockBytes, hugePages);
            Pages.Touch(mappings[i].Memory);
        }

        foreach (Mapping mapping in mappings)
        {
            mapping.Unmap();
        }
    }

    private static class Held<TRental>
    {
        public static readonly TRental[] Rentals = new TRental[Blocks];
    }
}

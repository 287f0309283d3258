using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Running;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Contiguous images",
    """
    An image of several blocks as one piece, for code that wants one pointer and a stride. *PixelBuffer* and *PixelLease* find the piece
    idle, as it was returned. *Assembled* never does: its pool is full, and after every contiguous image half of its blocks are
    exchanged for blocks of images of one block, so that the next one has to be put together from blocks that lie apart. That row
    contains the exchange.
    """,
    Across = nameof(Size))]
public class Contiguous
{
    private PixelAllocator _fullPool = null!;
    private PixelLease<byte>[] _oneBlockImages = [];
    private PixelLease<byte>[] _newest = [];

    [Params(8 << 20, 32 << 20, 64 << 20)]
    public int Size { get; set; }

    [Params(false, true)]
    public bool Touched { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _fullPool = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 2L * Size });
        _oneBlockImages = new PixelLease<byte>[Size / Pool.BlockBytes];
        _newest = new PixelLease<byte>[_oneBlockImages.Length / 2];
        RentOneBlockImages(_oneBlockImages);
        TouchAll();
        NativeBytes.Watch(_fullPool);
        NativeBytes.Watch(Pool.Allocator);
    }

    [Benchmark(Baseline = true, Description = "PixelBuffer")]
    public void PixelBuffer() => RentAndReturn<ContiguousBufferRental>();

    [Benchmark(Description = "PixelLease")]
    public void PixelLease() => RentAndReturn<ContiguousLeaseRental>();

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

    [Benchmark(Description = "PixelLease, assembled")]
    public void Assembled()
    {
        using (PixelLease<byte> image = _fullPool.Lease<byte>(Pages.Bytes, Size / Pages.Bytes, AllocationOptions.Contiguous))
        {
            if (Touched)
            {
                image.ProcessPixelRows(Pages.TouchRows);
            }
        }

        ExchangeHalf();
    }

    /// <summary>Half of the image's blocks go to images of one block, and as many blocks of such images become idle.</summary>
    private void ExchangeHalf()
    {
        int half = _oneBlockImages.Length / 2;
        Span<PixelLease<byte>> older = _oneBlockImages.AsSpan(0, half);
        Span<PixelLease<byte>> newer = _oneBlockImages.AsSpan(half);
        Span<PixelLease<byte>> newest = _newest.AsSpan(0, half);
        RentOneBlockImages(newest);
        foreach (PixelLease<byte> image in older)
        {
            image.Dispose();
        }

        newer.CopyTo(older);
        newest.CopyTo(newer);
    }

    /// <summary>Blocks that are moved are memory, not only addresses.</summary>
    private void TouchAll()
    {
        using PixelLease<byte> rest = _fullPool.Lease<byte>(Pages.Bytes, Size / Pages.Bytes);
        rest.ProcessPixelRows(Pages.TouchRows);
        foreach (PixelLease<byte> image in _oneBlockImages)
        {
            image.ProcessPixelRows(Pages.TouchRows);
        }
    }

    private void RentOneBlockImages(Span<PixelLease<byte>> images)
    {
        foreach (ref PixelLease<byte> image in images)
        {
            image = _fullPool.Lease<byte>(Pages.Bytes, Pool.BlockBytes / Pages.Bytes);
        }
    }

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

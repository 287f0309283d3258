using System.Buffers;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Clean memory",
    """
    One buffer of zeros is rented and returned. *Span.Clear* is the floor for memory that somebody may have written: one clear of that
    many bytes that are there already. The C library and the collector may hand out fresh pages, which are zero but have to be faulted
    in: there, one byte of every page is touched.
    """,
    Across = nameof(Size))]
public unsafe class Clean
{
    private void* _memory;

    [Params(64 << 10, 1 << 20, 4 << 20, 16 << 20)]
    public int Size { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _memory = NativeMemory.AlignedAlloc((nuint)Size, Pages.Bytes);
        if (Size > Pool.SmallBytes)
        {
            NativeBytes.Watch(Pool.Allocator);
        }
    }

    [Benchmark(Baseline = true, Description = "Span.Clear")]
    public void Floor() => new Span<byte>(_memory, Size).Clear();

    [Benchmark(Description = "PixelBuffer")]
    public void PixelBuffer()
    {
        using PixelBuffer<byte> image = Pool.Allocator.Rent<byte>(Pages.Bytes, Size / Pages.Bytes, AllocationOptions.Clean);
    }

    [Benchmark(Description = "PixelLease")]
    public void PixelLease()
    {
        using PixelLease<byte> image = Pool.Allocator.Lease<byte>(Pages.Bytes, Size / Pages.Bytes, AllocationOptions.Clean);
    }

    [Benchmark(Description = "ArrayPool.Shared and Span.Clear")]
    public void SharedArrayPool()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(Size);
        array.AsSpan(0, Size).Clear();
        ArrayPool<byte>.Shared.Return(array);
    }

    [Benchmark(Description = "NativeMemory.AllocZeroed, touched")]
    public void NativeAllocZeroed()
    {
        NativeBytes.Add(Size);
        void* memory = NativeMemory.AllocZeroed((nuint)Size);
        Pages.Touch(memory, Size);
        NativeMemory.Free(memory);
    }

    [Benchmark(Description = "new byte[], touched")]
    public void NewArray() => Pages.Touch(new byte[Size]);

    [GlobalCleanup]
    public void FreeMemory() => NativeMemory.AlignedFree(_memory);
}

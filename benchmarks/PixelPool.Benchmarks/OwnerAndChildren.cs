using System.Buffers;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;
using CommunityToolkit.HighPerformance.Buffers;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "An owner and its children",
    """
    An owner of N images of 64 × 64 pixels of 4 bytes is created, each of its images is worked on, and all are disposed together.
    *Managed* is what that makes on the heap of the collector; the peers keep their children in a `List`.
    """,
    Across = nameof(N))]
public unsafe class OwnerAndChildren
{
    private const int Side = 64;
    private const int ImageBytes = Side * Side * sizeof(uint);
    private const int MaxChildren = 64;

    private readonly PixelBuffer<uint>[] _children = new PixelBuffer<uint>[MaxChildren];

    [Params(1, 2, 4, 8, 16, 32, MaxChildren)]
    public int N { get; set; }

    [Benchmark(Baseline = true, Description = "RentScope of PixelBuffer")]
    public void Scope()
    {
        using var scope = new RentScope(Pool.Allocator);
        Span<PixelBuffer<uint>> children = _children.AsSpan(0, N);
        for (int i = 0; i < N; i++)
        {
            children[i] = scope.Rent<uint>(Side, Side);
        }

        foreach (PixelBuffer<uint> child in children)
        {
            child.ProcessPixelRows(static accessor => accessor.GetRowSpan(0)[0] = 1);
        }
    }

    [Benchmark(Description = "MemoryOwner")]
    public void MemoryOwners()
    {
        List<MemoryOwner<byte>> children = [];
        for (int i = 0; i < N; i++)
        {
            children.Add(MemoryOwner<byte>.Allocate(ImageBytes));
        }

        foreach (MemoryOwner<byte> child in children)
        {
            child.Span[0] = 1;
        }

        foreach (MemoryOwner<byte> child in children)
        {
            child.Dispose();
        }
    }

    [Benchmark(Description = "MemoryPool.Shared")]
    public void SharedMemoryPool()
    {
        List<IMemoryOwner<byte>> children = [];
        for (int i = 0; i < N; i++)
        {
            children.Add(MemoryPool<byte>.Shared.Rent(ImageBytes));
        }

        foreach (IMemoryOwner<byte> child in children)
        {
            child.Memory.Span[0] = 1;
        }

        foreach (IMemoryOwner<byte> child in children)
        {
            child.Dispose();
        }
    }

    [Benchmark(Description = "ArrayPool.Shared")]
    public void SharedArrayPool()
    {
        List<byte[]> children = [];
        for (int i = 0; i < N; i++)
        {
            children.Add(ArrayPool<byte>.Shared.Rent(ImageBytes));
        }

        foreach (byte[] child in children)
        {
            child[0] = 1;
        }

        foreach (byte[] child in children)
        {
            ArrayPool<byte>.Shared.Return(child);
        }
    }

    [Benchmark(Description = "NativeMemory.Alloc")]
    public void NativeAlloc()
    {
        List<nint> children = [];
        for (int i = 0; i < N; i++)
        {
            NativeBytes.Add(ImageBytes);
            children.Add((nint)NativeMemory.Alloc(ImageBytes));
        }

        foreach (nint child in children)
        {
            *(byte*)child = 1;
        }

        foreach (nint child in children)
        {
            NativeMemory.Free((void*)child);
        }
    }
}

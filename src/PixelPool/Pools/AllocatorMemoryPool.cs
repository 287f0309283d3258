using System.Buffers;

namespace PixelPool;

/// <summary>An allocator seen as the base library's <see cref="MemoryPool{T}"/>. It owns nothing.</summary>
internal sealed class AllocatorMemoryPool(PixelAllocator allocator) : MemoryPool<byte>
{
    // What MemoryPool<byte>.Shared gives when nothing is asked for.
    private const int DefaultBytes = 4096;

    public override int MaxBufferSize => int.MaxValue;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        if (minBufferSize < -1)
        {
            Throw.Negative(nameof(minBufferSize), minBufferSize);
        }

        return allocator.Allocate<byte>(minBufferSize == -1 ? DefaultBytes : minBufferSize);
    }

    /// <summary>Whose it is, for debuggers.</summary>
    public override string ToString() => $"Memory pool of {allocator.Name}";

    protected override void Dispose(bool disposing)
    {
    }
}

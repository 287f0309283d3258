using System.Buffers;
using PixelPool;

namespace LoadResizeSave.Memory;

/// <summary>Where the images of a run live. Everything but this folder is the same for every allocator.</summary>
internal abstract class ImageMemory : IDisposable
{
    public static ImageMemory Create(AllocatorKind kind) => kind switch
    {
        AllocatorKind.Native => new NativeImageMemory(),
        AllocatorKind.Gc => new ManagedImageMemory(),
        AllocatorKind.ArrayPool => new ArrayPoolImageMemory(),
        _ => new PooledImageMemory(PixelAllocator.Create(new PixelAllocatorOptions { Name = "LoadResizeSave" })),
    };

    /// <summary>Whose memory it is; <see langword="null"/> when it is not PixelPool's: the others say nothing about themselves.</summary>
    public virtual PixelAllocator? Allocator => null;

    public PixelPoolStatistics? Statistics => Allocator?.GetStatistics();

    /// <summary>An image whose pixels hold whatever the memory held before.</summary>
    public abstract Image<TPixel> Rent<TPixel>(int width, int height, PixelLayout layout = PixelLayout.Rows)
        where TPixel : unmanaged;

    /// <summary>Exactly <paramref name="length"/> contiguous bytes, for file contents and scratch rows.</summary>
    public abstract IMemoryOwner<byte> RentBytes(int length);

    /// <summary>What <see cref="GiveBackIdle"/> does, in a word.</summary>
    public abstract string WayToGiveBack { get; }

    /// <summary>The most this allocator can do to hand memory nobody uses back to the system.</summary>
    public abstract void GiveBackIdle();

    public abstract void Dispose();
}

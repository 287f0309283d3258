using System.Buffers;
using PixelPool;

namespace Imaging.Memory;

/// <summary>Where images live. Everything but this folder is the same for every allocator.</summary>
public abstract class ImageMemory : IDisposable
{
    /// <param name="kind">Whose memory it is.</param>
    /// <param name="name">What PixelPool's statistics and reports call it.</param>
    public static ImageMemory Create(AllocatorKind kind, string name) => kind switch
    {
        AllocatorKind.Native => new NativeImageMemory(),
        AllocatorKind.Gc => new ManagedImageMemory(),
        AllocatorKind.ArrayPool => new ArrayPoolImageMemory(),
        _ => new PooledImageMemory(PixelAllocator.Create(new PixelAllocatorOptions { Name = name })),
    };

    /// <summary>Whose memory it is; <see langword="null"/> when it is not PixelPool's: the others say nothing about themselves.</summary>
    public virtual PixelAllocator? Allocator => null;

    /// <summary>Of the allocator, if there is one.</summary>
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

    /// <summary>Ends it, with all that is idle in it. What was rented goes back before.</summary>
    public abstract void Dispose();
}

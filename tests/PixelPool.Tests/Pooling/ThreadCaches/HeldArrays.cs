using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>Images in arrays of one size, and the guard of each.</summary>
internal sealed class HeldArrays : IDisposable
{
    /// <summary>Bytes of each array.</summary>
    public const int Bytes = 4096;

    // Images need room beside them.
    private const int ImageBytes = Bytes - 512;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public HeldArrays(int count)
    {
        _allocator = _system.CreateAllocator();
        Images = new PixelBuffer<byte>[count];
        Guards = new LifetimeGuard[count];
        for (int i = 0; i < count; i++)
        {
            Images[i] = _allocator.Rent<byte>(ImageBytes, 1);
            Guards[i] = _allocator.Tracking.Guards.Reachable().Single(guard => Array.IndexOf(Guards, guard) < 0);
        }
    }

    public PixelBuffer<byte>[] Images { get; }

    /// <summary>That of the image with the same index.</summary>
    public LifetimeGuard[] Guards { get; }

    public void Dispose()
    {
        Array.ForEach(Images, static image => image.Dispose());
        _allocator.Dispose();
        _system.Dispose();
    }
}

using System.Collections.Concurrent;

namespace PixelPool.Tests.Lifetime;

/// <summary>An owner whose finalizer does something with its image.</summary>
internal sealed class ImageOwner(Action<PixelBuffer<uint>> finalize, ConcurrentQueue<Exception> failures)
    : FinalizedOwner<PixelBuffer<uint>>(finalize, failures), IImageOwner
{
    public PixelBuffer<uint>? Image
    {
        get => Held;
        set => Held = value;
    }
}

using System.Collections.Concurrent;

namespace PixelPool.Tests.Lifetime;

/// <summary>An owner whose finalizer does something with its image.</summary>
internal sealed class ImageOwner(Action<PixelBuffer<uint>> finalize, ConcurrentQueue<Exception> failures) : IImageOwner
{
    ~ImageOwner()
    {
        try
        {
            finalize(Image!);
        }
#pragma warning disable CA1031 // the test looks at it: the process must not end here
        catch (Exception e)
        {
            failures.Enqueue(e);
        }
#pragma warning restore CA1031
    }

    public PixelBuffer<uint>? Image { get; set; }
}

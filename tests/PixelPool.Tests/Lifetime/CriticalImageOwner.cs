using System.Collections.Concurrent;
using System.Runtime.ConstrainedExecution;

namespace PixelPool.Tests.Lifetime;

/// <summary>An owner whose critical finalizer, which comes after all others, does something with its image.</summary>
internal sealed class CriticalImageOwner(Action<PixelBuffer<uint>> finalize, ConcurrentQueue<Exception> failures) : CriticalFinalizerObject, IImageOwner
{
    ~CriticalImageOwner()
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

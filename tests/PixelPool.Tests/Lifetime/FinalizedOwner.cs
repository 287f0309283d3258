using System.Collections.Concurrent;

namespace PixelPool.Tests.Lifetime;

/// <summary>An owner whose finalizer does something with what it holds.</summary>
internal class FinalizedOwner<T>(Action<T> finalize, ConcurrentQueue<Exception> failures)
    where T : class
{
    ~FinalizedOwner()
    {
        try
        {
            finalize(Held!);
        }
#pragma warning disable CA1031 // the test looks at it: the process must not end here
        catch (Exception e)
        {
            failures.Enqueue(e);
        }
#pragma warning restore CA1031
    }

    public T? Held { get; set; }
}

using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>What tests of the caches of threads have: a system of their own. They are skipped where there are no such caches.</summary>
public abstract class ThreadCacheTest : IDisposable
{
    protected const int Block = TestSystem.BlockBytes;

    /// <summary>More than it takes to get a cache.</summary>
    protected const int ManyRents = 200;

    protected ThreadCacheTest() => Assert.SkipUnless(ProcessBarrier.IsSupported, "this build has no caches of threads");

    private protected TestSystem PoolSystem { get; } = new();

    public void Dispose()
    {
        PoolSystem.Dispose();
        GC.SuppressFinalize(this);
    }
}

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

    /// <summary>The allocator, after <see cref="UseOften"/>.</summary>
    protected static PixelAllocator UsedOften(PixelAllocator allocator)
    {
        UseOften(allocator);
        return allocator;
    }

    /// <summary>Rents and returns one block and one array of 2,048 bytes, again and again.</summary>
    protected static void UseOften(PixelAllocator allocator, int rents = ManyRents)
    {
        for (int i = 0; i < rents; i++)
        {
            allocator.Lease<byte>(Block, 1).Dispose();
            allocator.Lease<byte>(1800, 1).Dispose();
        }
    }
}

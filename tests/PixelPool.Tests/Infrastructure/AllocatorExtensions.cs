using PixelPool.Accounts;
using PixelPool.Threading;

namespace PixelPool.Tests.Infrastructure;

/// <summary>What tests read of an allocator that its users cannot.</summary>
internal static class AllocatorExtensions
{
    /// <summary>Bytes that are charged to its budget, and rented by nobody.</summary>
    public static long GetChargedIdleBytes(this PixelAllocator allocator)
    {
        MemoryAccounts accounts = allocator.Tracking.Guards.Accounts;
        UninterruptibleLock.Holder paused = accounts.Pause();
        long bytes = accounts.SumChargedIdle();
        accounts.Resume(paused);
        return bytes;
    }
}

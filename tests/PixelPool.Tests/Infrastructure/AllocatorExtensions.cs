namespace PixelPool.Tests.Infrastructure;

/// <summary>What tests read of an allocator that its users cannot.</summary>
internal static class AllocatorExtensions
{
    /// <summary>Bytes that are charged to its budget, and rented by nobody.</summary>
    public static long GetChargedIdleBytes(this PixelAllocator allocator)
    {
        // What is missing to the charge when it is read.
        long charge = 0;
        return -allocator.Tracking.Guards.Accounts.ReadCharge(ref charge);
    }
}

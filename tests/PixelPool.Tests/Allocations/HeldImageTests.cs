using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocations;

/// <summary>What one more image takes of the managed heap while it is held. README and "How it works" say so.</summary>
public sealed class HeldImageTests
{
    private const int Images = 100;

    /// <summary>The guard, and its entry in the list of all. In the build for .NET Standard it has a table from the beginning.</summary>
#if LIBRARY_NETSTANDARD
    private const int GuardBytes = 552;
#else
    private const int GuardBytes = 400;
#endif

    /// <summary>A table of five addresses, with what keeps it off the cache lines of the next object.</summary>
    private const int TableBytes = 192;

    [Theory]
    [InlineData(MemoryTier.Slab, GuardBytes)]
    [InlineData(MemoryTier.OneBlock, GuardBytes)]
    [InlineData(MemoryTier.SeveralBlocks, GuardBytes + TableBytes)]
    public void A_held_image_has_a_guard_which_the_next_rent_uses_again(MemoryTier tier, int bytes)
    {
        Assert.SkipWhen(IntPtr.Size == 4, "pointers are shorter");
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.LeakTracking = LeakTracking.Off;
        options.MaxPooledBytes = 6 * Images * TierSizes.BlockBytes;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        var held = new PixelLease<byte>[Images];

        // Beside the guard some rents make a slab, or a table grows.
        Assert.Equal(bytes, RentAll(allocator, tier, held).Min());
        Array.ForEach(held, static image => image.Dispose());
        Assert.Equal(0, RentAll(allocator, tier, held).Sum());
        Array.ForEach(held, static image => image.Dispose());
    }

    private static List<long> RentAll(PixelAllocator allocator, MemoryTier tier, PixelLease<byte>[] held)
    {
        (int width, int height) = TierSizes.Size<byte>(tier);
        var allocated = new List<long>(held.Length);
        for (int i = 0; i < held.Length; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            held[i] = allocator.Lease<byte>(width, height, TierSizes.Asks(tier));
            allocated.Add(GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return allocated;
    }
}

using PixelPool.Tests.Guarded;

namespace PixelPool.Tests.Documentation;

/// <summary>The snippet of <c>docs/guarded-rents.md</c>, compiled and run.</summary>
public sealed class GuardedRentsPageTests
{
    [Fact]
    public void All_rents()
    {
        GuardedSystem.SkipElsewhere();

        #region docs/guarded-rents.md
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { GuardedRentSampling = 1 });
        #endregion

        using PixelBuffer<byte> image = allocator.Rent<byte>(10, 10);
        Assert.Equal(1, allocator.GetStatistics().UnpooledRents);
    }
}

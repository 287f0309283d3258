using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>Code that is generic over all structs gets the same memory, and what holds references is refused when it asks.</summary>
public class StructAllocationTests
{
    private readonly record struct Pair<T>(T First, T Second);

    [Theory]
    [InlineData(10)]
    [InlineData(100_000)]
    public void A_struct_gets_what_an_unmanaged_type_gets(int length)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using (IMemoryOwner<Pair<short>> owner = AllocateAny<Pair<short>>(allocator, length))
        {
            PixelPoolStatistics one = allocator.GetStatistics();
            owner.Memory.Span.Fill(new Pair<short>(1, 2));
            Assert.Equal(length, owner.Memory.Length);
            Assert.Equal(new Pair<short>(1, 2), owner.Memory.Span[length - 1]);
            using IMemoryOwner<Pair<short>> unmanaged = allocator.Allocate<Pair<short>>(length);
            PixelPoolStatistics both = allocator.GetStatistics();
            Assert.Equal((2 * one.SmallRents, 2 * one.Misses), (both.SmallRents, both.Misses));
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_scope_owns_what_it_gives_and_its_budget_pays()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        IMemoryOwner<Pair<short>> owner;
        using (RentScope scope = allocator.ReserveScope(1 << 20))
        {
            Assert.Same(allocator, scope.Allocator);
            owner = scope.AllocateStructs<Pair<short>>(5000, AllocationOptions.Clean);
            Assert.False(owner.Memory.Span.ContainsAnyExcept(default(Pair<short>)));
            Assert.NotEqual(0, scope.ChargedBytes);
            Assert.Throws<PixelBudgetExceededException>(() => scope.AllocateStructs<Pair<short>>(1 << 20));
            Assert.Throws<ArgumentException>(() => scope.AllocateStructs<Pair<string>>(10));
            Assert.Throws<ArgumentNullException>(() => ((RentScope)null!).AllocateStructs<int>(10));
            Assert.Throws<ArgumentOutOfRangeException>(() => scope.AllocateStructs<int>(-1));
        }

        Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    [Trait("Category", "Long")]
    public void Memory_of_1_GiB_is_got_and_returned_when_it_is_forgotten()
    {
        Assert.SkipUnless(Environment.Is64BitProcess, "It has no room for it.");
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 2L << 30 });
        Forget(allocator);
        Collector.CollectAll();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 2L, 2L << 30), (statistics.RentedBytes, statistics.ChargedBytes, statistics.LeakedCount, statistics.LeakedBytes));

        // Two of them, as the pieces of an image of ImageSharp. Nothing writes to them, so they hold no memory.
        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Forget(PixelAllocator allocator)
        {
            Assert.Equal(1 << 30, AllocateAny<byte>(allocator, 1 << 30).Memory.Length);
            Assert.Equal(1 << 28, AllocateAny<int>(allocator, 1 << 28).Memory.Length);
        }
    }

    [Fact]
    public void Clean_is_zero()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        AllocateAny<Pair<int>>(allocator, 5000).Dispose();
        using IMemoryOwner<Pair<int>> owner = allocator.AllocateStructs<Pair<int>>(5000, AllocationOptions.Clean);
        Assert.False(owner.Memory.Span.ContainsAnyExcept(default(Pair<int>)));
    }

    [Fact]
    public void References_are_refused_and_nothing_is_taken()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        Assert.Throws<ArgumentException>(() => AllocateAny<Pair<string>>(allocator, 10));
        Assert.Throws<ArgumentException>(() => AllocateAny<Pair<string>>(allocator, 0));
        Assert.Equal(0, allocator.GetStatistics().Rents);
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Other_errors_are_those_of_Allocate()
    {
        PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        Assert.Throws<ArgumentOutOfRangeException>(() => AllocateAny<int>(allocator, -1));
        Assert.Throws<ArgumentNullException>(() => AllocateAny<int>(null!, 1));
        allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => AllocateAny<int>(allocator, 1));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IMemoryOwner<T> AllocateAny<T>(PixelAllocator allocator, int length)
        where T : struct
    {
        IMemoryOwner<T> owner = allocator.AllocateStructs<T>(length);
        owner.Memory.Span.Fill(default);
        return owner;
    }
}

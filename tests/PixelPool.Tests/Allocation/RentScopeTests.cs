using System.Buffers;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>What a scope rented is returned with it.</summary>
public class RentScopeTests
{
    [Fact]
    public void Everything_is_returned_together()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        var scope = new RentScope(allocator);
        PixelBuffer<uint> buffer = scope.Rent<uint>(300, 300, AllocationOptions.Clean);
        PixelBuffer<byte> contiguous = scope.Rent<byte>(1000, 100, AllocationOptions.Contiguous);
        IMemoryOwner<long> owner = scope.Allocate<long>(1234, AllocationOptions.Clean);
        Assert.True(contiguous.IsContiguous);
        PixelPattern.AssertEveryByte(buffer, 0);
        Assert.Equal(1234, owner.Memory.Length);
        Assert.False(owner.Memory.Span.ContainsAnyExcept(0L));

        scope.Dispose();
        Assert.True(buffer.IsDisposed);
        Assert.True(contiguous.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        TierSizes.AssertQuiet(allocator);
        scope.Dispose();
    }

    [Fact]
    public void An_exception_that_leaves_the_scope_returns_everything_too()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        Assert.Throws<FormatException>(Fail);
        TierSizes.AssertQuiet(allocator);

        void Fail()
        {
            using var scope = new RentScope(allocator);
            scope.Rent<uint>(300, 300);
            scope.Allocate<byte>(10);
            throw new FormatException();
        }
    }

    [Fact]
    public void What_was_disposed_before_is_not_returned_twice()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> next;
        using (var scope = new RentScope(allocator))
        {
            (int width, int height) = TierSizes.Size<uint>(MemoryTier.OneBlock);
            PixelBuffer<uint> buffer = scope.Rent<uint>(width, height);
            scope.Allocate<byte>(10).Dispose();
            buffer.Dispose();
            next = allocator.Rent<uint>(width, height);
            PixelPattern.Write(next);
        }

        PixelPattern.AssertHolds(next);
        next.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_view_outlives_the_scope()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> view;
        using (var scope = new RentScope(allocator))
        {
            PixelBuffer<uint> buffer = scope.Rent<uint>(100, 100);
            PixelPattern.Write(buffer);
            view = buffer.View(10, 20, 30, 40);
        }

        PixelPattern.AssertHolds(view, 10, 20);
        view.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_rent_that_fails_leaves_the_scope_as_it_was()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        options.MaxRentedBytes = TierSizes.BlockBytes;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using (var scope = new RentScope(allocator))
        {
            PixelBuffer<byte> buffer = scope.Rent<byte>(TierSizes.BlockBytes, 1);
            Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(1, 1));
            Assert.Throws<PixelBudgetExceededException>(() => scope.Allocate<byte>(1));
            Assert.False(buffer.IsDisposed);
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_disposed_scope_rents_nothing()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        var scope = new RentScope(allocator);
        scope.Dispose();
        Assert.Throws<ObjectDisposedException>(() => scope.Rent<byte>(1, 1));
        Assert.Throws<ObjectDisposedException>(() => scope.Allocate<byte>(1));
        Assert.Equal(0, allocator.GetStatistics().Rents);
    }

    [Fact]
    public void A_scope_needs_an_allocator() =>
        Assert.Equal("allocator", Assert.Throws<ArgumentNullException>(() => new RentScope(null!)).ParamName);
}

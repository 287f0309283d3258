using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

public class RentScopeTests
{
    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Fact]
    public void Scope_needs_an_allocator() => Assert.Throws<ArgumentNullException>(() => new RentScope(null!));

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Everything_returns_with_the_scope(RentKind kind)
    {
        using var rental = new Rental(kind);
        var scope = new RentScope(rental.Allocator);
        PixelBuffer<uint> image = scope.Rent<uint>(100, 100);
        PixelBuffer<byte> clean = scope.Rent<byte>(300, 300, AllocationOptions.Clean | AllocationOptions.Contiguous);
        IMemoryOwner<long> memory = scope.Allocate<long>(100, AllocationOptions.Clean);
        Assert.Equal(0, clean[299, 299]);
        Assert.Equal(100, memory.Memory.Length);
        Assert.Equal(0, memory.Memory.Span[99]);

        scope.Dispose();
        Assert.True(image.IsDisposed);
        Assert.True(clean.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => memory.Memory);
        rental.AssertNothingRented();
    }

    [Fact]
    public void Scope_returns_when_an_exception_leaves_it()
    {
        using var rental = new Rental(RentKind.ManyBlocks);
        Assert.Throws<InvalidTimeZoneException>(RentAndThrow);
        rental.AssertNothingRented();

        void RentAndThrow()
        {
            using var scope = new RentScope(rental.Allocator);
            scope.Rent<uint>(100, 100).Fill(1);
            scope.Allocate<byte>(10).Memory.Span.Fill(1);
            throw new InvalidTimeZoneException();
        }
    }

    [Fact]
    public void Failing_rent_leaves_the_scope_as_it_was()
    {
        using var rental = new Rental(RentKind.OneBlock);
        using (var scope = new RentScope(rental.Allocator))
        {
            PixelBuffer<uint> image = scope.Rent<uint>(100, 100);
            Assert.Throws<ArgumentOutOfRangeException>(() => scope.Rent<uint>(0, 1));
            Assert.Throws<ArgumentOutOfRangeException>(() => scope.Allocate<uint>(-1));
            Assert.Throws<InvalidMemoryOperationException>(() => scope.Rent<decimal>(int.MaxValue, 1));
            Assert.False(image.IsDisposed);
            Assert.Equal(Rental.BlockBytes, rental.Statistics.RentedBytes);
        }

        rental.AssertNothingRented();
    }

    [Fact]
    public void Second_dispose_does_nothing()
    {
        using var rental = new Rental(RentKind.OneBlock);
        var scope = new RentScope(rental.Allocator);
        scope.Rent<uint>(100, 100);
        scope.Dispose();
        using PixelBuffer<uint> next = rental.Rent();
        scope.Dispose();
        Assert.Equal(Rental.BlockBytes, rental.Statistics.RentedBytes);
    }

    [Fact]
    public void Image_may_be_disposed_before_the_scope()
    {
        using var rental = new Rental(RentKind.OneBlock);
        using (var scope = new RentScope(rental.Allocator))
        {
            scope.Rent<uint>(100, 100).Dispose();
            Assert.Equal(0, rental.Statistics.RentedBytes);
            using PixelBuffer<uint> other = rental.Rent();
            scope.Dispose();
            Assert.Equal(Rental.BlockBytes, rental.Statistics.RentedBytes);
        }

        rental.AssertNothingRented();
    }

    [Fact]
    public void Rent_after_dispose_is_refused_and_takes_nothing()
    {
        using var rental = new Rental(RentKind.OneBlock);
        var scope = new RentScope(rental.Allocator);
        scope.Dispose();
        Assert.Throws<ObjectDisposedException>(() => scope.Rent<uint>(1, 1));
        Assert.Throws<ObjectDisposedException>(() => scope.Allocate<byte>(1));
        Assert.Equal(0, rental.Statistics.Rents);
    }

    [Fact]
    public void Scope_of_a_disposed_allocator_refuses_but_returns()
    {
        using var rental = new Rental(RentKind.OneBlock);
        using (var scope = new RentScope(rental.Allocator))
        {
            PixelBuffer<uint> image = scope.Rent<uint>(100, 100);
            rental.Allocator.Dispose();
            Assert.Throws<ObjectDisposedException>(() => scope.Rent<uint>(1, 1));
            image.Fill(1);
        }

        Assert.Equal(0, rental.Source.LiveBytes);
    }

    [Fact]
    public void Last_rented_returns_first()
    {
        var arrays = new RecyclingArrayPool();
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = arrays });
        var lengths = new List<int>();
        using (var scope = new RentScope(allocator))
        {
            for (int width = 100; width <= 500; width += 100)
            {
                scope.Rent<byte>(width, 1);
            }
        }

        // The array that came back last is the first one rented again.
        for (int i = 0; i < 5; i++)
        {
            lengths.Add(arrays.Rent(1).Length);
        }

        Assert.Equal([100, 200, 300, 400, 500], lengths);
    }

    [Fact]
    public void Leases_return_before_everything_else()
    {
        var arrays = new RecyclingArrayPool();
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = arrays });
        using (var scope = new RentScope(allocator))
        {
            scope.Lease<byte>(100, 1);
            scope.Rent<byte>(200, 1);
            scope.Lease<byte>(300, 1);
            scope.Allocate<byte>(400);
        }

        // What came back last is the first one rented again: in the order of renting what is not leased, then leases.
        Assert.Equal([200, 400, 100, 300], Enumerable.Range(0, 4).Select(_ => arrays.Rent(1).Length));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Rent_that_races_with_dispose_is_returned(RentKind kind)
    {
        using var rental = new Rental(kind);
        int refused = 0;
        for (int round = 0; round < 100; round++)
        {
            var scope = new RentScope(rental.Allocator);
            Simultaneously.Run(3, thread =>
            {
                if (thread == 0)
                {
                    scope.Dispose();
                    return;
                }

                try
                {
                    while (true)
                    {
                        scope.Rent<uint>(32, 20);
                        scope.Allocate<byte>(1000);
                    }
                }
                catch (ObjectDisposedException)
                {
                    Interlocked.Increment(ref refused);
                }
            });
            Assert.Equal(0, rental.Statistics.RentedBytes);
        }

        Assert.Equal(200, refused);
        Assert.Equal(0, rental.Statistics.LeakedCount);
        rental.AssertNothingRented();
    }
}

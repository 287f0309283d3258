using System.Diagnostics.Tracing;
using PixelPool.Diagnostics;
using PixelPool.Tests.Diagnostics.Events;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics;

/// <summary>What a rent is for is told by reports and events, and by nobody after it ended.</summary>
public sealed class TagTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Everything_that_a_scope_rents_carries_its_tag()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using var scope = new RentScope(allocator) { Tag = "request 17" };
        scope.Rent<byte>(Block, 1);
        scope.Lease<byte>(Block, 2);
        scope.Allocate<byte>(10);
        scope.ChargeExternal(5);
        scope.CreateScope(10 * Block).Rent<byte>(Block, 3);
        scope.ReserveScope(7);
        Assert.Equal(6, allocator.GetOutstandingRents().Count);
        Assert.All(allocator.GetOutstandingRents(), static rent => Assert.Equal("request 17", rent.Tag));
        Assert.Contains("64 KiB of \"request 17\"", allocator.GetOutstandingRents().Single(static rent => rent.Bytes == Block).ToString(), StringComparison.Ordinal);
        scope.Tag = "the rest";
        scope.Rent<byte>(Block, 4);
        Assert.Single(allocator.GetOutstandingRents(), static rent => rent.Tag == "the rest");
        using PixelBuffer<byte> other = allocator.Rent<byte>(Block, 5);
        Assert.Single(allocator.GetOutstandingRents(), static rent => rent.Tag is null);
    }

    [Fact]
    public void The_next_rent_of_the_same_memory_has_none()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        for (int round = 0; round < 10; round++)
        {
            using (var scope = new RentScope(allocator) { Tag = "one" })
            {
                scope.Rent<byte>(Block, 1);
                scope.Lease<byte>(10, 10);
            }

            using PixelBuffer<byte> next = allocator.Rent<byte>(Block, 1);
            using PixelLease<byte> small = allocator.Lease<byte>(10, 10);
            Assert.All(allocator.GetOutstandingRents(), static rent => Assert.Null(rent.Tag));
        }
    }

    /// <summary>Its budget is remembered, too: one may not make the other forgotten.</summary>
    [Fact]
    public void Nor_has_the_next_rent_after_one_of_a_scope_with_a_limit()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 8 * Block);
        using RentScope scope = allocator.CreateScope(2 * Block);
        scope.Tag = "one";
        for (int round = 0; round < 10; round++)
        {
            scope.Rent<byte>(Block, 1).Dispose();
            scope.Lease<byte>(10, 10).Dispose();
            using PixelBuffer<byte> next = allocator.Rent<byte>(Block, 1);
            using PixelLease<byte> small = allocator.Lease<byte>(10, 10);
            Assert.All(allocator.GetOutstandingRents(), static rent => Assert.Null(rent.Tag));
        }
    }

    [Fact]
    public async Task A_rent_that_waited_has_the_tag_as_well()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        using var scope = new RentScope(allocator) { Tag = "patient" };
        Task<PixelBuffer<byte>> rent = scope.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        held.Dispose();
        await rent;
        Assert.Equal("patient", Assert.Single(allocator.GetOutstandingRents()).Tag);
    }

    [Fact]
    public void Events_tell_it_when_a_rent_begins_and_ends()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.Name = nameof(TagTests));
        using EventRecorder recorder = new EventRecorder(nameof(TagTests)).Enable(EventLevel.Verbose, PixelPoolEventSource.Keywords.Rents);
        using (var scope = new RentScope(allocator) { Tag = "tile" })
        {
            scope.Rent<byte>(Block, 1);
        }

        allocator.Rent<byte>(Block, 1).Dispose();
        Assert.Equal([$"Rented {Block} Miss tile", $"Returned {Block} tile", $"Rented {Block} Hit", $"Returned {Block}"], recorder.Lines);
    }
}

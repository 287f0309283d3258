using PixelPool.Tests.Infrastructure;
using PixelPool.Tiers;

namespace PixelPool.Tests.Budgets;

/// <summary>What somebody who waits is known to hold.</summary>
public sealed class RentCallerTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public RentCallerTests() => _allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 4 * Block);

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void What_no_budget_pays_for_does_not_count()
    {
        var caller = new RentCaller(_allocator.Tracking.Guards, payer: null, trace: null, blocksThread: true, pieces: null);
        using PixelBuffer<byte> wrapped = _allocator.Wrap(new byte[3 * Block].AsMemory(), Block, 3);
        Assert.True(caller.Made(Assert.Single(_allocator.Tracking.Guards.Reachable())));
        Assert.Equal(0, caller.HeldBytes);
        using PixelBuffer<byte> rented = _allocator.Rent<byte>(Block, 2);
        Assert.Equal(2 * Block, caller.HeldBytes);
    }

    [Fact]
    public void A_scope_holds_what_was_rented_through_it_and_nobody_disposed()
    {
        using var scope = new RentScope(_allocator);
        var caller = new RentCaller(_allocator.Tracking.Guards, scope.Payer, trace: null, blocksThread: false, pieces: null);
        using PixelBuffer<byte> others = _allocator.Rent<byte>(Block, 1);
        Assert.Equal(0, caller.HeldBytes);
        PixelBuffer<byte> rented = scope.Rent<byte>(Block, 2);
        Assert.Equal(2 * Block, caller.HeldBytes);
        rented.Dispose();
        Assert.Equal(0, caller.HeldBytes);
    }
}

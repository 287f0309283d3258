using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Leases and memory are tried and awaited as images are, from the allocator and from scopes.</summary>
public sealed class WaitingMatrixTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public WaitingMatrixTests() => _allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * Block);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        Assert.Equal((0L, 0L, 0L), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().ChargedBytes, _allocator.GetStatistics().WaitingRents));
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void What_the_budget_has_no_room_for_is_not_got()
    {
        using PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 2);
        using var scope = new RentScope(_allocator);
        Assert.False(_allocator.TryLease(Block, 1, out PixelLease<byte> lease));
        Assert.True(lease.IsDisposed);
        lease.Dispose();
        Assert.False(_allocator.TryAllocate(Block, out IMemoryOwner<byte>? owner));
        Assert.Null(owner);
        Assert.False(scope.TryLease(Block, 1, out lease));
        Assert.False(scope.TryAllocate(Block, out owner));
        Assert.Null(owner);
        Assert.Equal(4, _allocator.GetStatistics().BudgetRefusals);
    }

    [Fact]
    public void What_it_has_room_for_is_got_at_once()
    {
        Assert.True(_allocator.TryLease(Block, 1, out PixelLease<byte> lease));
        Assert.True(_allocator.TryAllocate(Block, out IMemoryOwner<byte>? owner));
        Assert.Equal(Block, owner.Memory.Length);
        lease.Dispose();
        owner.Dispose();
        using var scope = new RentScope(_allocator);
        Assert.True(scope.TryLease(Block, 1, out lease));
        Assert.True(scope.TryAllocate(Block, out owner));
        lease.Fill(1);
        owner.Memory.Span.Fill(1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_request_waits_for_its_turn(bool throughScope)
    {
        using var scope = new RentScope(_allocator);
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 2);
        Task<PixelLease<byte>> lease = (throughScope ? scope.LeaseAsync<byte>(Block, 1, cancellationToken: Token) : _allocator.LeaseAsync<byte>(Block, 1, cancellationToken: Token)).AsTask();
        Task<IMemoryOwner<byte>> owner = (throughScope ? scope.AllocateAsync<byte>(Block, cancellationToken: Token) : _allocator.AllocateAsync<byte>(Block, cancellationToken: Token)).AsTask();
        Assert.False(lease.IsCompleted || owner.IsCompleted);
        Assert.Equal(2, _allocator.GetStatistics().WaitingRents);
        held.Dispose();
        PixelLease<byte> got = await lease;
        IMemoryOwner<byte> memory = await owner;
        got.Fill(1);
        memory.Memory.Span.Fill(2);
        Assert.Equal(2 * Block, _allocator.GetStatistics().ChargedBytes);
        if (!throughScope)
        {
            got.Dispose();
            memory.Dispose();
            return;
        }

        scope.Dispose();
        Assert.True(got.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => memory.Memory);
        Assert.Equal(0, _allocator.GetStatistics().SecondReturns);
    }

    [Fact]
    public async Task A_wait_ends_when_it_is_cancelled_or_its_scope_is_disposed()
    {
        using PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 2);
        using var source = new CancellationTokenSource();
        Task<PixelLease<byte>> lease = _allocator.LeaseAsync<byte>(Block, 1, cancellationToken: source.Token).AsTask();
        Task<IMemoryOwner<byte>> owner = _allocator.AllocateAsync<byte>(Block, cancellationToken: source.Token).AsTask();
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => lease);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => owner);
        Assert.ThrowsAny<OperationCanceledException>(() => _ = _allocator.LeaseAsync<byte>(Block, 1, cancellationToken: source.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => _ = _allocator.AllocateAsync<byte>(1, cancellationToken: source.Token));
        var scope = new RentScope(_allocator);
        lease = scope.LeaseAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        owner = scope.AllocateAsync<byte>(Block, cancellationToken: Token).AsTask();
        scope.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => lease);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => owner);
        Assert.Throws<ObjectDisposedException>(() => scope.Lease<byte>(1, 1));
        Assert.Throws<ObjectDisposedException>(() => scope.TryLease<byte>(1, 1, out _));
        Assert.Throws<ObjectDisposedException>(() => scope.TryAllocate<byte>(1, out _));
        Assert.Throws<ObjectDisposedException>(() => _ = scope.LeaseAsync<byte>(1, 1, cancellationToken: Token));
        Assert.Throws<ObjectDisposedException>(() => _ = scope.AllocateAsync<byte>(1, cancellationToken: Token));
    }

    [Fact]
    public void More_than_the_whole_budget_is_refused_at_once()
    {
        Assert.Throws<PixelBudgetExceededException>(() => _allocator.LeaseAsync<byte>(Block, 3, cancellationToken: Token).AsTask().GetAwaiter().GetResult());
        Assert.Throws<PixelBudgetExceededException>(() => _allocator.AllocateAsync<byte>(3 * Block, cancellationToken: Token).AsTask().GetAwaiter().GetResult());
    }

    [Fact]
    public void A_scope_returns_its_leases_and_forgets_those_that_are_disposed()
    {
        var scope = new RentScope(_allocator);
        for (int i = 0; i < 1000; i++)
        {
            using PixelLease<byte> lease = scope.Lease<byte>(Block, 1);
            lease[0, 0] = 1;
        }

        PixelLease<byte> kept = scope.Lease<byte>(Block, 1);
        PixelLease<byte> disposed = scope.Lease<byte>(Block, 1);
        disposed.Dispose();
        scope.Dispose();
        Assert.True(kept.IsDisposed);
        Assert.Equal(0, _allocator.GetStatistics().SecondReturns);
        kept.Dispose();
        Assert.Equal(1, _allocator.GetStatistics().SecondReturns);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    public void Lengths_that_there_are_not_are_refused(int length)
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => _allocator.TryAllocate<byte>(length, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = _allocator.AllocateAsync<byte>(length, cancellationToken: Token));
        Assert.Throws<ArgumentOutOfRangeException>(() => _allocator.TryAllocate<byte>(1, out _, (AllocationOptions)64));
        Assert.Throws<ArgumentOutOfRangeException>(() => _allocator.TryLease<byte>(length, 1, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = _allocator.LeaseAsync<byte>(1, length, cancellationToken: Token));
    }
}

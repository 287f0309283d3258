using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>
/// Requests that are small against the budget, and those of whoever holds memory already, pass requests that wait: as far as those do not starve. Budgets of 128 blocks, of which two are
/// small.
/// </summary>
public sealed class PassingTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Blocks = 128;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public PassingTests() => _allocator = _system.CreateAllocator(capacityInBlocks: 2 * Blocks, static options =>
    {
        options.MaxRentedBytes = Blocks * Block;
        options.RentTimeout = Timeout.InfiniteTimeSpan;
    });

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        Assert.Equal((0L, 0L), (_allocator.GetStatistics().ChargedBytes, _allocator.GetStatistics().WaitingRents));
        _allocator.Dispose();
        _system.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Small_requests_pass_and_others_do_not(bool inScope)
    {
        using RentScope scope = _allocator.CreateScope(Blocks * Block);
        PixelBuffer<byte> held = scope.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = (inScope ? scope.RentAsync<byte>(Block, 60, cancellationToken: Token) : _allocator.RentAsync<byte>(Block, 60, cancellationToken: Token)).AsTask();
        Assert.False(waiting.IsCompleted);

        // Three blocks are more than a 64th.
        Assert.False(scope.TryRent(Block, 3, out PixelBuffer<byte>? _));
        Assert.True(_allocator.TryRent(Block, 2, out PixelBuffer<byte>? tried));
        using PixelBuffer<byte> rented = _allocator.Rent<byte>(Block, 2);
        using PixelBuffer<byte> ofScope = scope.Rent<byte>(Block, 2);
        using PixelLease<byte> awaited = await _allocator.LeaseAsync<byte>(Block, 2, cancellationToken: Token);
        tried.Dispose();
        Assert.False(waiting.IsCompleted);
        held.Dispose();
        (await waiting).Dispose();
    }

    [Fact]
    public async Task They_pass_until_as_many_bytes_as_the_whole_budget_have_and_then_the_first_one_is_next()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = _allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        for (int i = 0; i < Blocks / 2; i++)
        {
            Assert.True(_allocator.TryRent(Block, 2, out PixelBuffer<byte>? small));
            small.Dispose();
        }

        Assert.False(_allocator.TryRent(1, 5000, out PixelBuffer<byte>? _));
        Task<PixelBuffer<byte>> late = _allocator.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        Assert.False(late.IsCompleted);
        held.Dispose();
        (await waiting).Dispose();
        (await late).Dispose();
    }

    [Fact]
    public async Task When_nothing_is_returned_for_a_while_they_pass_again()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = _allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        PixelBuffer<byte>[] passed = [.. Enumerable.Range(0, 10).Select(_ => _allocator.Rent<byte>(Block, 2))];
        for (int i = 10; i < Blocks / 2; i++)
        {
            _allocator.Rent<byte>(Block, 2).Dispose();
        }

        // Whoever holds the memory needs a little more to finish.
        Task<PixelBuffer<byte>> needed = _allocator.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(needed.IsCompleted, "something was returned");
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        (await needed).Dispose();
        Assert.False(waiting.IsCompleted);
        held.Dispose();
        Array.ForEach(passed, static image => image.Dispose());
        (await waiting).Dispose();
    }

    [Fact]
    public async Task Whoever_holds_memory_in_a_scope_passes_those_who_hold_nothing()
    {
        using var scope = new RentScope(_allocator);
        using var empty = new RentScope(_allocator);
        PixelBuffer<byte> held = scope.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> newcomer = empty.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> second = _allocator.RentAsync<byte>(Block, 20, cancellationToken: Token).AsTask();

        // It fits, and nobody would ever return what the others wait for otherwise.
        using PixelBuffer<byte> more = await scope.RentAsync<byte>(Block, 20, cancellationToken: Token);
        Assert.False(newcomer.IsCompleted || second.IsCompleted);
        held.Dispose();
        (await newcomer).Dispose();
        (await second).Dispose();
    }

    [Fact]
    public async Task A_thread_that_holds_memory_passes_those_who_hold_nothing()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> newcomer = Task.Factory.StartNew(
            () => _allocator.Rent<byte>(Block, 60), Token, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        SpinWait.SpinUntil(() => _allocator.GetStatistics().WaitingRents == 1);
        PixelBuffer<byte> more = _allocator.Rent<byte>(Block, 20);
        Assert.False(newcomer.IsCompleted);
        more.Dispose();
        held.Dispose();
        (await newcomer).Dispose();
    }

    [Fact]
    public async Task Those_who_hold_something_wait_for_each_other_in_their_order()
    {
        using var first = new RentScope(_allocator);
        using var second = new RentScope(_allocator);
        first.Rent<byte>(Block, 50);
        PixelBuffer<byte> held = second.Rent<byte>(Block, 50);
        Task<PixelBuffer<byte>> large = first.RentAsync<byte>(Block, 40, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> fits = second.RentAsync<byte>(Block, 10, cancellationToken: Token).AsTask();
        Assert.False(large.IsCompleted || fits.IsCompleted);
        held.Dispose();
        Assert.True(await large is not null && await fits is not null);
    }
}

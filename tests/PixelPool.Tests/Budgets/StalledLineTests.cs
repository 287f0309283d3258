using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>When nobody is let in for a while, whoever fits passes those who wait: as far as those do not starve. Budgets of 128 blocks.</summary>
public sealed class StalledLineTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Blocks = 128;

    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public StalledLineTests() => _allocator = _system.CreateAllocator(capacityInBlocks: 2 * Blocks, static options =>
    {
        options.MaxRentedBytes = Blocks * Block;
        options.RentTimeout = Timeout.InfiniteTimeSpan;
    });

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        PixelPoolStatistics statistics = _allocator.GetStatistics();

        // That ends whoever still waits where a test failed.
        _allocator.Dispose();
        _system.Dispose();
        Assert.Equal((0L, 0L), (statistics.ChargedBytes, statistics.WaitingRents));
    }

    [Fact]
    public async Task When_nobody_is_let_in_for_a_while_whoever_fits_passes()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = _allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();

        // Who asks here may be who holds the memory: code that awaits goes on on any thread.
        Task<PixelBuffer<byte>> large = _allocator.RentAsync<byte>(Block, 50, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> needed = _allocator.RentAsync<byte>(Block, 20, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(needed.IsCompleted, "it was not waited");
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        (await SoonAsync(needed)).Dispose();
        Assert.False(waiting.IsCompleted || large.IsCompleted);
        held.Dispose();
        (await SoonAsync(waiting)).Dispose();
        (await SoonAsync(large)).Dispose();
    }

    [Fact]
    public async Task Those_who_give_up_and_small_ones_that_come_and_go_do_not_hide_that_nothing_moves()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = _allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> needed = _allocator.RentAsync<byte>(Block, 20, cancellationToken: Token).AsTask();
        for (int i = 0; i < 4; i++)
        {
            _allocator.Rent<byte>(Block, 1).Dispose();
            using var cancelled = new CancellationTokenSource();
            Task<PixelBuffer<byte>> impatient = _allocator.RentAsync<byte>(Block, 50, cancellationToken: cancelled.Token).AsTask();
            await cancelled.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => SoonAsync(impatient));
            _system.Time.Advance(TimeSpan.FromSeconds(0.5));
        }

        (await SoonAsync(needed)).Dispose();
        held.Dispose();
        (await SoonAsync(waiting)).Dispose();
    }

    [Fact]
    public async Task Each_time_that_nothing_moves_it_is_waited_twice_as_long_so_that_the_first_one_does_not_starve()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = _allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        List<int> passes = [];
        for (int second = 1; second <= 32; second++)
        {
            // It is let in alone: what it holds is returned at once, and the next one comes.
            using var cancelled = new CancellationTokenSource();
            Task<PixelBuffer<byte>> other = _allocator.RentAsync<byte>(Block, 28, cancellationToken: cancelled.Token).AsTask();
            _system.Time.Advance(TimeSpan.FromSeconds(1));
            if (_allocator.GetStatistics().ChargedBytes > 100 * Block)
            {
                passes.Add(second);
                (await SoonAsync(other)).Dispose();
            }
            else
            {
                await cancelled.CancelAsync();
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => SoonAsync(other));
            }
        }

        Assert.Equal([2, 5, 10, 19], passes);
        held.Dispose();
        (await SoonAsync(waiting)).Dispose();
    }

    // A request that nothing stands in the way of. Only a failure reaches the limit.
    private static Task<T> SoonAsync<T>(Task<T> request) => request.WaitAsync(s_limit, Token);
}

using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>When nobody is let in for a while, whoever fits passes those who wait: for some time, so that those do not starve.</summary>
public sealed class StalledLineTests : LargeBudgetTest
{
    [Fact]
    public async Task When_nobody_is_let_in_for_a_while_whoever_fits_passes()
    {
        PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = Allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();

        // Who asks here may be who holds the memory: code that awaits goes on on any thread.
        Task<PixelBuffer<byte>> large = Allocator.RentAsync<byte>(Block, 50, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> needed = Allocator.RentAsync<byte>(Block, 20, cancellationToken: Token).AsTask();
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(needed.IsCompleted, "it was not waited");
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(1));
        (await needed.SoonAsync()).Dispose();
        Assert.False(waiting.IsCompleted || large.IsCompleted);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
        (await large.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task Those_who_give_up_and_small_ones_that_come_and_go_do_not_hide_that_nothing_moves()
    {
        PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = Allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> needed = Allocator.RentAsync<byte>(Block, 20, cancellationToken: Token).AsTask();
        for (int i = 0; i < 4; i++)
        {
            Allocator.Rent<byte>(Block, 1).Dispose();
            using var cancelled = new CancellationTokenSource();
            Task<PixelBuffer<byte>> impatient = Allocator.RentAsync<byte>(Block, 50, cancellationToken: cancelled.Token).AsTask();
            await cancelled.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => impatient.SoonAsync());
            PoolSystem.Time.Advance(TimeSpan.FromSeconds(0.5));
        }

        (await needed.SoonAsync()).Dispose();
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task Each_time_that_nothing_moves_the_first_one_is_waited_for_twice_as_long_and_others_go_on_for_longer()
    {
        PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = Allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        List<int> passes = [];
        for (int second = 1; second <= 32; second++)
        {
            // What it holds is returned at once, and the next one comes.
            using var cancelled = new CancellationTokenSource();
            Task<PixelBuffer<byte>> other = Allocator.RentAsync<byte>(Block, 28, cancellationToken: cancelled.Token).AsTask();
            PoolSystem.Time.Advance(TimeSpan.FromSeconds(1));
            if (Allocator.GetStatistics().ChargedBytes > 100 * Block)
            {
                passes.Add(second);
                (await other.SoonAsync()).Dispose();
            }
            else
            {
                await cancelled.CancelAsync();
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => other.SoonAsync());
            }
        }

        Assert.Equal([2, 3, 5, 6, 7, .. Enumerable.Range(11, 5), .. Enumerable.Range(23, 9)], passes);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
    }
}

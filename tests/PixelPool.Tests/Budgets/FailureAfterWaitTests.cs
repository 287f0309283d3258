using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>A request that waited and got its bytes while the clock fails: it is recorded without an age.</summary>
public sealed class FailureAfterWaitTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public Task A_reservation_is_made() =>
        CheckAsync(static async allocator => await allocator.ReserveScopeAsync(Block, TestContext.Current.CancellationToken));

    [Fact]
    public Task An_image_is_rented() =>
        CheckAsync(static async allocator => await allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken));

    private async Task CheckAsync(Func<PixelAllocator, Task<IDisposable>> request)
    {
        var clock = new FailingClock(_system.Time);
        using PixelAllocator allocator = _system.CreateAllocator(configure: options =>
        {
            options.MaxRentedBytes = 4 * Block;
            options.LeakTracking = LeakTracking.Full;
            options.TimeProvider = clock;
        });
        (await WaitAsync()).Dispose();
        int reads = clock.Reads;
        (await WaitAsync()).Dispose();

        // What is remembered of the request is written last, before its wait ends.
        clock.GoodReads = (2 * clock.Reads) - reads - 2;
        using (await WaitAsync())
        {
            RentRecord held = Assert.Single(allocator.GetOutstandingRents());
            Assert.Null(held.Age);
            Assert.Contains(nameof(WaitAsync), held.StackText, StringComparison.Ordinal);
        }

        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L), (statistics.ChargedBytes, statistics.RentedBytes));
        Assert.Empty(allocator.GetOutstandingRents());

        async Task<IDisposable> WaitAsync()
        {
            RentScope before = allocator.ReserveScope(4 * Block);
            Task<IDisposable> waiting = request(allocator);
            Assert.False(waiting.IsCompleted);
            before.Dispose();
            return await waiting;
        }
    }
}

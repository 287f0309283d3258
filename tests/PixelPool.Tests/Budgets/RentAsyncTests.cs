using System.Runtime.InteropServices;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

public sealed class RentAsyncTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void With_room_in_the_budget_the_task_is_complete_at_once()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        ValueTask<PixelBuffer<byte>> rent = allocator.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken);
        Assert.True(rent.IsCompletedSuccessfully);
        rent.Result.Dispose();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0, 0), (statistics.Waits, statistics.WaitingRents, statistics.BudgetRefusals));
    }

    [Fact]
    public async Task Without_a_budget_nothing_waits()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PixelBuffer<byte> buffer = await allocator.RentAsync<byte>(Block, 70, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(70L * Block, allocator.GetStatistics().RentedBytes);
    }

    /// <summary>As for a task, though a value task need not allow it.</summary>
    [Fact]
    public void Who_asks_for_the_result_before_it_is_there_waits_for_it()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        ValueTask<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken);
        PixelBuffer<byte>? granted = null;
        Thread[] threads = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() => granted = waiting.GetAwaiter().GetResult()))];
        Array.ForEach(threads, static thread => thread.Start());
        Assert.True(SpinWait.SpinUntil(() => threads.All(static thread => (thread.ThreadState & ThreadState.WaitSleepJoin) != 0), s_timeLimit));
        held.Dispose();

        // All of them, though one wake-up wakes one.
        Assert.All(threads, static thread => Assert.True(thread.Join(s_timeLimit)));
        Assert.NotNull(granted);
        granted.Dispose();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public async Task How_it_ended_shows_before_anybody_asks_for_the_result()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        using var cancellation = new CancellationTokenSource();
        var scope = new RentScope(allocator);
        ValueTask<PixelBuffer<byte>> cancelled = allocator.RentAsync<byte>(Block, 1, cancellationToken: cancellation.Token);
        ValueTask<PixelBuffer<byte>> disposed = scope.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken);
        ValueTask<PixelBuffer<byte>> granted = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal((false, false, false), (cancelled.IsCompleted, disposed.IsCompleted, granted.IsCompleted));
        await cancellation.CancelAsync();
        scope.Dispose();
        held.Dispose();
        Assert.True(SpinWait.SpinUntil(() => cancelled.IsCompleted && disposed.IsCompleted && granted.IsCompleted, s_timeLimit));
        Assert.Equal((true, false, false), (cancelled.IsCanceled, cancelled.IsFaulted, cancelled.IsCompletedSuccessfully));
        Assert.Equal((false, true, false), (disposed.IsCanceled, disposed.IsFaulted, disposed.IsCompletedSuccessfully));
        Assert.Equal((false, false, true), (granted.IsCanceled, granted.IsFaulted, granted.IsCompletedSuccessfully));
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await cancelled);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await disposed);
        (await granted).Dispose();
    }

    [Fact]
    public async Task A_request_waits_until_enough_was_returned()
    {
        using PixelAllocator allocator = Create(budget: 3 * Block);
        PixelBuffer<byte> first = allocator.Rent<byte>(Block, 2);
        PixelBuffer<byte> second = allocator.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>> waiting = Begin(allocator, blocks: 3);
        first.Dispose();
        Assert.False(waiting.IsCompleted);
        Assert.Equal(1, allocator.GetStatistics().WaitingRents);
        _system.Time.Advance(TimeSpan.FromMilliseconds(250));
        second.Dispose();
        using (PixelBuffer<byte> granted = await waiting.SoonAsync())
        {
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((3L * Block, 3L * Block, 3L * Block), (statistics.RentedBytes, statistics.ChargedBytes, statistics.BudgetBytes));
            Assert.Equal((1, 0, TimeSpan.FromMilliseconds(250)), (statistics.Waits, statistics.WaitingRents, statistics.WaitTime));
        }

        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public async Task Requests_are_served_in_the_order_they_came_and_a_large_one_is_not_overtaken()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        PixelBuffer<byte>[] held = [.. Enumerable.Range(0, 4).Select(_ => allocator.Rent<byte>(Block, 1))];
        Task<PixelBuffer<byte>> large = Begin(allocator, blocks: 4);
        Task<PixelBuffer<byte>> small = Begin(allocator, blocks: 1);
        for (int i = 0; i < 3; i++)
        {
            held[i].Dispose();
            Assert.False(large.IsCompleted);
            Assert.False(small.IsCompleted);
            Assert.False(allocator.TryRent(Block, 1, out PixelBuffer<byte>? none));
            Assert.Null(none);
            Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(Block, 1));
        }

        held[3].Dispose();
        PixelBuffer<byte> first = await large.SoonAsync();
        Assert.False(small.IsCompleted);
        first.Dispose();
        (await small.SoonAsync()).Dispose();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
        allocator.Rent<byte>(Block, 4).Dispose();
    }

    [Fact]
    public async Task One_return_lets_in_everybody_who_fits()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 4);
        Task<PixelBuffer<byte>>[] waiting = [.. Enumerable.Range(0, 5).Select(_ => Begin(allocator, blocks: 1))];
        held.Dispose();
        PixelBuffer<byte>[] granted = await Task.WhenAll(waiting[..4]).SoonAsync();
        Assert.False(waiting[4].IsCompleted);
        granted[2].Dispose();
        (await waiting[4].SoonAsync()).Dispose();
        Array.ForEach(granted, static buffer => buffer.Dispose());
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public async Task A_cancelled_request_takes_nothing_and_lets_those_behind_it_in()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        using var cancellation = new CancellationTokenSource();
        Task<PixelBuffer<byte>> large = Begin(allocator, blocks: 4, cancellation.Token);
        Task<PixelBuffer<byte>> small = Begin(allocator, blocks: 2);
        Assert.False(small.IsCompleted);
        await cancellation.CancelAsync();
        var exception = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => large.SoonAsync());
        Assert.Equal(cancellation.Token, exception.CancellationToken);
        (await small.SoonAsync()).Dispose();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((2L * Block, 2, 0), (statistics.ChargedBytes, statistics.Waits, statistics.WaitingRents));
    }

    [Fact]
    public void A_token_that_is_cancelled_already_rents_nothing()
    {
        using PixelAllocator allocator = Create(budget: Block);
        Assert.Throws<OperationCanceledException>(() => { _ = allocator.RentAsync<byte>(1, 1, cancellationToken: new CancellationToken(canceled: true)); });
        Assert.Equal(0, allocator.GetStatistics().Rents);
    }

    [Fact]
    public async Task Disposing_the_allocator_ends_every_wait()
    {
        PixelAllocator allocator = Create(budget: Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>>[] waiting = [.. Enumerable.Range(0, 3).Select(_ => Begin(allocator, blocks: 1))];
        allocator.Dispose();
        foreach (Task<PixelBuffer<byte>> request in waiting)
        {
            var exception = await Assert.ThrowsAsync<ObjectDisposedException>(() => request.SoonAsync());
            Assert.Equal(nameof(PixelAllocator), exception.ObjectName);
        }

        await Assert.ThrowsAsync<ObjectDisposedException>(() => Begin(allocator, blocks: 1).SoonAsync());
        held.Dispose();
        Assert.Equal((0, 0, 3), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().WaitingRents, allocator.GetStatistics().Waits));
    }

    [Fact]
    public async Task What_can_never_fit_is_refused_and_does_not_wait()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        var exception = await Assert.ThrowsAsync<PixelBudgetExceededException>(() => Begin(allocator, blocks: 3).SoonAsync());
        Assert.Equal((3 * Block, 2 * Block), (exception.RequestedBytes, exception.LimitBytes));
        Assert.Equal((1, 0), (allocator.GetStatistics().BudgetRefusals, allocator.GetStatistics().Waits));
    }

    [Fact]
    public async Task Memory_that_runs_out_after_the_wait_gives_the_charge_back()
    {
        using TestSystem system = TestSystem.Alone();
        using PixelAllocator allocator = system.CreateAllocator(configure: options => options.MaxRentedBytes = 2 * Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>> failing = Begin(allocator, blocks: 2);
        Task<PixelBuffer<byte>> next = Begin(allocator, blocks: 1);
        system.Source.FailAlways();
        held.Dispose();
        allocator.Trim();
        await Assert.ThrowsAsync<OutOfMemoryException>(() => failing.SoonAsync());
        await Assert.ThrowsAsync<OutOfMemoryException>(() => next.SoonAsync());
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
        system.Source.Heal();
        allocator.Rent<byte>(Block, 2).Dispose();
    }

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool)]
    [InlineData(SmallBufferStrategy.Slab)]
    [InlineData(SmallBufferStrategy.None)]
    public async Task Every_small_tier_waits_too(SmallBufferStrategy strategy)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: options =>
        {
            options.MaxRentedBytes = 2 * Block;
            options.SmallBuffers = strategy;
        });
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        Task<PixelBuffer<byte>> small = allocator.RentAsync<byte>(100, 10).AsTask();
        Assert.False(small.IsCompleted);
        held.Dispose();
        (await small.SoonAsync()).Dispose();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    /// <summary>In a process of its own: collections of other tests would find it as well.</summary>
    [Fact]
    public void Leaked_memory_that_fills_the_budget_is_searched_for_while_a_request_waits() => ChildProcess.Run(WaitForForgotten);

    private static void WaitForForgotten()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * Block);

        // What awaits is reached from what it awaits, and that from a running timer; the timers of the test are not.
        GCHandle root = GCHandle.Alloc(allocator);
        ForgottenImage.Leak(allocator, blocks: 2);
        Task<PixelBuffer<byte>> waiting = Begin(allocator, blocks: 2);
        Assert.Equal(0, allocator.GetStatistics().LeakedCount);
        system.Time.Advance(PendingWaits.Period);
        Assert.True(waiting.Wait(s_timeLimit), "Nobody has searched.");
        waiting.Result.Dispose();
        Assert.Equal(1, allocator.GetStatistics().LeakedCount);
        root.Free();
    }

    private static Task<PixelBuffer<byte>> Begin(PixelAllocator allocator, int blocks, CancellationToken cancellationToken = default) =>
        allocator.RentAsync<byte>(Block, blocks, cancellationToken: cancellationToken).AsTask();

    private PixelAllocator Create(long budget) => _system.CreateAllocator(configure: options => options.MaxRentedBytes = budget);
}

using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>A request that waits long is reported, once, with who waits and who holds the memory.</summary>
public sealed class LongWaitTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;
    private readonly List<LongWaitEventArgs> _reports = [];
    private readonly SemaphoreSlim _reported = new(0);

    public LongWaitTests()
    {
        _system.Time.FireNewTimersAtOnce = false;
        _allocator = Create();
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _allocator.Dispose();
        _reported.Dispose();
        _system.Dispose();
    }

    [Fact]
    public async Task It_is_reported_once_with_who_waits_and_who_holds()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 3);
        using var scope = new RentScope(_allocator) { Tag = "thumbnail" };
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, 2, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> other = _allocator.RentAsync<byte>(Block, 3, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(4.9));
        Assert.Equal(0, _allocator.GetStatistics().LongWaits);
        _system.Time.Advance(TimeSpan.FromSeconds(100));
        await ReportsAsync(2);
        Assert.Equal((2, 2L), (_reports.Count, _allocator.GetStatistics().LongWaits));
        LongWaitEventArgs report = _reports[0];
        Assert.Equal((2 * Block, "thumbnail", 5.0, "budget of the allocator \"images\""), ((int)report.Wait.Bytes, report.Wait.Tag, report.Wait.Waited.TotalSeconds, report.Wait.Budget));
        Assert.Contains(nameof(LongWaitTests), report.Wait.Place, StringComparison.Ordinal);
        Assert.Equal([2 * Block, 3 * Block], report.Waiting.Select(static wait => (int)wait.Bytes));
        Assert.Equal(3 * Block, Assert.Single(report.Held).Bytes);
        Assert.False(report.IsDeadlock);
        Assert.Matches(
            "^128 KiB of \"thumbnail\", waiting for 5 s for the budget of the allocator \"images\", asked for at .*LongWaitTests.*\\.\\s+2 requests wait\\. Most is held at .*LongWaitTests.*: 192 KiB in 1 rent\\.$",
            report.ToString());
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
        (await other.SoonAsync()).Dispose();
    }

    /// <summary>Thousands may wait, at a time when memory is short.</summary>
    [Fact]
    public async Task Those_that_are_reported_at_the_same_time_share_their_lists()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 4);
        Task<PixelBuffer<byte>>[] waiting = [.. Enumerable.Range(0, 50).Select(_ => _allocator.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask())];
        _system.Time.Advance(TimeSpan.FromSeconds(6));
        await ReportsAsync(waiting.Length);

        Assert.Equal((50, 50L), (_reports.Count, _allocator.GetStatistics().LongWaits));
        Assert.Equal(50, _reports[0].Waiting.Count);
        Assert.All(_reports, report => Assert.Same(_reports[0].Waiting, report.Waiting));
        Assert.All(_reports, report => Assert.Same(_reports[0].Held, report.Held));
        Assert.Equal(50, _reports.Select(static report => report.Wait).Distinct(ReferenceEqualityComparer.Instance).Count());
        held.Dispose();
        foreach (Task<PixelBuffer<byte>> granted in waiting)
        {
            (await granted.SoonAsync()).Dispose();
        }
    }

    [Fact]
    public async Task Those_who_wait_are_listed_the_longest_first()
    {
        Assert.Empty(_allocator.GetWaitingRents());
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 4);
        using RentScope scope = _allocator.CreateScope(2 * Block);
        scope.Tag = "request";
        Task<PixelBuffer<byte>> first = scope.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(2));
        Task<PixelLease<byte>> second = _allocator.LeaseAsync<byte>(Block, 2, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        IReadOnlyList<WaitingRent> waiting = _allocator.GetWaitingRents();
        Assert.Equal(
            [(Block, 3.0, "request"), (2 * Block, 1.0, null)], waiting.Select(static wait => ((int)wait.Bytes, wait.Waited.TotalSeconds, wait.Tag)));
        Assert.All(waiting, static wait => Assert.Contains(nameof(Those_who_wait_are_listed_the_longest_first), wait.Place, StringComparison.Ordinal));
        Assert.All(waiting, static wait => Assert.Contains(nameof(LongWaitTests), wait.StackText, StringComparison.Ordinal));
        Assert.Equal(3, _allocator.GetStatistics().LongestWait.TotalSeconds);
        Assert.Contains("2 waiting for up to 3 s;", _allocator.GetStatistics().ToString(), StringComparison.Ordinal);
        held.Dispose();
        (await first.SoonAsync()).Dispose();
        (await second.SoonAsync()).Dispose();
        Assert.Empty(_allocator.GetWaitingRents());
        Assert.Equal(TimeSpan.Zero, _allocator.GetStatistics().LongestWait);
    }

    [Fact]
    public async Task Where_every_holder_waits_itself_the_report_says_so()
    {
        using var first = new RentScope(_allocator);
        using var second = new RentScope(_allocator);
        first.Rent<byte>(Block, 2);
        PixelLease<byte> lease = second.Lease<byte>(Block, 2);
        using var cancelled = new CancellationTokenSource();
        Task<PixelBuffer<byte>> one = first.RentAsync<byte>(Block, 1, cancellationToken: cancelled.Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(6));
        await ReportsAsync(1);
        Assert.False(_reports[0].IsDeadlock);
        Task<PixelBuffer<byte>> other = second.RentAsync<byte>(Block, 1, cancellationToken: cancelled.Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(6));
        await ReportsAsync(1);
        Assert.True(_reports[1].IsDeadlock);
        Assert.Contains("This is a deadlock", _reports[1].ToString(), StringComparison.Ordinal);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => one.SoonAsync());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => other.SoonAsync());
    }

    [Fact]
    public async Task Memory_that_is_not_charged_hides_no_deadlock()
    {
        using PixelBuffer<byte> free = _allocator.Wrap(new byte[Block].AsMemory(), Block, 1);
        using var scope = new RentScope(_allocator);
        scope.Rent<byte>(Block, 4);
        using var cancelled = new CancellationTokenSource();
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, 1, cancellationToken: cancelled.Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(6));
        await ReportsAsync(1);
        Assert.True(_reports[0].IsDeadlock);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.SoonAsync());
    }

    [Fact]
    public async Task A_deadlock_that_a_return_completes_is_reported_though_its_waits_have_been()
    {
        using var first = new RentScope(_allocator);
        using var second = new RentScope(_allocator);
        first.Rent<byte>(Block, 1);
        second.Rent<byte>(Block, 1);
        PixelBuffer<byte> other = _allocator.Rent<byte>(Block, 1);
        using var cancelled = new CancellationTokenSource();
        Task<PixelBuffer<byte>>[] waiting = [.. new[] { first, second }.Select(scope => scope.RentAsync<byte>(Block, 3, cancellationToken: cancelled.Token).AsTask())];
        _system.Time.Advance(TimeSpan.FromSeconds(6));
        await ReportsAsync(2);
        Assert.All(_reports, static report => Assert.False(report.IsDeadlock));
        other.Dispose();
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        await ReportsAsync(2);
        Assert.Equal([false, false, true, true], _reports.Select(static report => report.IsDeadlock));

        // Once.
        _system.Time.Advance(TimeSpan.FromSeconds(100));
        await cancelled.CancelAsync();
        foreach (Task<PixelBuffer<byte>> wait in waiting)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait.SoonAsync());
        }

        Assert.Equal((4, 2L), (_reports.Count, _allocator.GetStatistics().LongWaits));
    }

    [Fact]
    public async Task While_any_of_their_requests_fits_it_is_none()
    {
        using PixelAllocator allocator = Create(static options =>
        {
            options.MaxRentedBytes = 128 * Block;
            options.LongWaitThreshold = TimeSpan.FromSeconds(1);
        });
        allocator.Rent<byte>(1, 1).Dispose();
        using var first = new RentScope(allocator);
        using var second = new RentScope(allocator);
        first.Rent<byte>(Block, 64);
        second.Rent<byte>(Block, 60);
        Task<PixelBuffer<byte>> one = first.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> fits = second.RentAsync<byte>(Block, 3, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        await ReportsAsync(1);
        Assert.False(_reports[0].IsDeadlock);
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.NotNull(await fits.SoonAsync());
        second.Dispose();
        await one.SoonAsync();
    }

    [Fact]
    public async Task Threads_that_wait_for_each_other_are_a_deadlock_too()
    {
        using PixelAllocator allocator = Create(static options => options.RentTimeout = TimeSpan.FromMinutes(1));
        using var holding = new Barrier(2);
        Task[] threads = [.. Enumerable.Range(0, 2).Select(_ => Task.Factory.StartNew(
            () =>
            {
                using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
                holding.SignalAndWait(Token);
                Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(Block, 1));
                holding.SignalAndWait(Token);
            },
            Token,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default))];
        Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 2, s_limit));
        _system.Time.Advance(TimeSpan.FromSeconds(6));
        await ReportsAsync(1);
        Assert.True(_reports[0].IsDeadlock);
        _system.Time.Advance(TimeSpan.FromMinutes(1));
        await Task.WhenAll(threads).SoonAsync();
    }

    // Whoever has the view can go on.
    [Fact]
    public async Task A_view_of_what_the_waiting_thread_disposed_is_no_deadlock()
    {
        using PixelAllocator allocator = Create(static options => options.RentTimeout = Timeout.InfiniteTimeSpan);
        PixelBuffer<byte>? view = null;
        Task<PixelBuffer<byte>> thread = Task.Factory.StartNew(
            () =>
            {
                PixelBuffer<byte> image = allocator.Rent<byte>(Block, 4);
                view = image.View(0, 0, 1, 1);
                image.Dispose();
                return allocator.Rent<byte>(Block, 1);
            },
            Token,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

        // Seconds that pass before it stands in line are none that it has waited.
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                _system.Time.Advance(TimeSpan.FromSeconds(1));
                return allocator.GetStatistics().LongWaits == 1;
            },
            s_limit));
        await ReportsAsync(1);
        Assert.False(_reports[0].IsDeadlock, _reports[0].ToString());
        view!.Dispose();
        (await thread.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task A_limit_ends_waits_that_block_no_thread()
    {
        using PixelAllocator allocator = Create(static options => options.AsyncRentTimeout = TimeSpan.FromSeconds(30));
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 4);
        Task<PixelBuffer<byte>> image = allocator.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        Task<RentScope> scope = allocator.ReserveScopeAsync(Block, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(29.9));
        Assert.False(image.IsCompleted || scope.IsCompleted);
        _system.Time.Advance(TimeSpan.FromSeconds(0.1));
        await Assert.ThrowsAsync<PixelBudgetExceededException>(() => image.SoonAsync());
        await Assert.ThrowsAsync<PixelBudgetExceededException>(() => scope.SoonAsync());
        Assert.Equal((0L, 2L, 4L * Block), (allocator.GetStatistics().WaitingRents, allocator.GetStatistics().BudgetRefusals, allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public async Task A_limit_of_zero_refuses_at_once_and_without_one_nothing_is_reported()
    {
        using PixelAllocator allocator = Create(static options =>
        {
            options.AsyncRentTimeout = TimeSpan.Zero;
            options.LongWaitThreshold = Timeout.InfiniteTimeSpan;
        });
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 4);
        Task<PixelBuffer<byte>> image = allocator.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.Zero);
        await Assert.ThrowsAsync<PixelBudgetExceededException>(() => image.SoonAsync());
        using PixelAllocator patient = Create(static options => options.LongWaitThreshold = Timeout.InfiniteTimeSpan);
        PixelBuffer<byte> all = patient.Rent<byte>(Block, 4);
        Task<PixelBuffer<byte>> waiting = patient.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromDays(1));
        Assert.Equal((0, 0L), (_reports.Count, patient.GetStatistics().LongWaits));
        all.Dispose();
        (await waiting.SoonAsync()).Dispose();
        held.Dispose();
    }

    [Fact]
    public async Task A_handler_that_throws_keeps_nobody_from_waiting()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 4 * Block);
        allocator.LongWait += static (_, _) => throw new InvalidOperationException("a handler");
        allocator.LongWait += OnLongWait;
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 4);
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(6));

        // Nor the handlers behind it from being told.
        await ReportsAsync(1);
        Assert.Equal(Block, Assert.Single(_reports).Wait.Bytes);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
    }

    private async Task ReportsAsync(int count)
    {
        for (int i = 0; i < count; i++)
        {
            Assert.True(await _reported.WaitAsync(s_limit, Token));
        }
    }

    private PixelAllocator Create(Action<PixelAllocatorOptions>? configure = null)
    {
        PixelAllocator allocator = _system.CreateAllocator(configure: options =>
        {
            options.Name = "images";
            options.MaxRentedBytes = 4 * Block;
            configure?.Invoke(options);
        });
        allocator.LongWait += OnLongWait;
        return allocator;
    }

    private void OnLongWait(object? sender, LongWaitEventArgs report)
    {
        _reports.Add(report);
        _reported.Release();
    }
}

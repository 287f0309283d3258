using System.Diagnostics.Tracing;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Events;

/// <summary>Requests that a budget has no room for are told: each refusal, and how each wait ended.</summary>
public sealed class BudgetEventTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly string _name = $"{nameof(BudgetEventTests)} {Guid.NewGuid():N}";
    private readonly TestSystem _system = new();
    private readonly EventRecorder _recorder;

    public BudgetEventTests() =>
        _recorder = new EventRecorder(_name).Enable(EventLevel.Informational, PixelPoolEventSource.Keywords.Budget);

    public void Dispose()
    {
        _recorder.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Refusals_are_told_with_the_limit()
    {
        using PixelAllocator allocator = Create();
        Assert.False(allocator.TryRent<byte>(Block, 3, out _));
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(Block, 2));
        Assert.Equal([$"BudgetExceeded {3 * Block} {2 * Block}", $"BudgetExceeded {2 * Block} {2 * Block}"], _recorder.Lines);
        Assert.Equal(_recorder.Lines.Length, allocator.GetStatistics().BudgetRefusals);
    }

    [Fact]
    public async Task Ends_of_waits_are_told_with_what_they_took()
    {
        PixelAllocator allocator = Create();
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        Task<PixelBuffer<byte>> granted = Wait(allocator, 1, TestContext.Current.CancellationToken);
        _system.Time.Advance(TimeSpan.FromMilliseconds(250));
        held.Dispose();
        held = await granted.SoonAsync();

        using var cancellation = new CancellationTokenSource();
        Task<PixelBuffer<byte>> cancelled = Wait(allocator, 2, cancellation.Token);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.SoonAsync());

        Task<PixelBuffer<byte>> disposed = Wait(allocator, 2, TestContext.Current.CancellationToken);
        allocator.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => disposed.SoonAsync());
        held.Dispose();
        Assert.Equal([$"Waited {Block} 250 Granted", $"Waited {2 * Block} 0 Cancelled", $"Waited {2 * Block} 0 Disposed"], _recorder.Lines);
        Assert.Equal(3, allocator.GetStatistics().Waits);
    }

    [Fact]
    public void Wait_whose_time_is_over_is_told_as_a_refusal_too()
    {
        // New timers of the test's clock are over at once.
        using PixelAllocator allocator = Create(TimeSpan.FromSeconds(30));
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(Block, 1));
        Assert.Equal(
            [$"BudgetExceeded {Block} {2 * Block}", $"Waited {Block} 0 TimedOut"],
            _recorder.Lines.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Waits_that_take_long_are_told_with_who_waits_and_who_holds()
    {
        _system.Time.FireNewTimersAtOnce = false;
        using PixelAllocator allocator = Create();
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        using var scope = new RentScope(allocator) { Tag = "thumbnail" };
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(5));

        // Told on the thread pool. Only a failure reaches the limit.
        Assert.True(SpinWait.SpinUntil(() => _recorder.Events.Length == 1, TimeSpan.FromSeconds(20)));
        RecordedEvent told = Assert.Single(_recorder.Events);
        WaitingRent wait = Assert.Single(allocator.GetWaitingRents());
        Assert.Equal(("WaitsLong", EventLevel.Warning), (told.Name, told.Level));
        Assert.Equal([_name, (long)Block, 5000.0, wait.Place, ApplicationFailure.Shorten(wait.StackText)], told.Payload.Take(5));
        Assert.Contains(nameof(BudgetEventTests), wait.Place, StringComparison.Ordinal);
        Assert.StartsWith($"{wait}.", (string)told.Payload[5]!, StringComparison.Ordinal);
        Assert.Equal("thumbnail", told.Payload[6]);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
    }

    /// <summary>One that is longer is lost on its way to whoever listens in another process.</summary>
    [Fact]
    public async Task A_long_tag_makes_no_event_of_more_than_64_KiB()
    {
        _system.Time.FireNewTimersAtOnce = false;
        using PixelAllocator allocator = Create();
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        using var scope = new RentScope(allocator) { Tag = new string('t', 40_000) };
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.True(SpinWait.SpinUntil(() => _recorder.Events.Length == 1, TimeSpan.FromSeconds(20)));
        Assert.InRange(Assert.Single(_recorder.Events).Payload.OfType<string>().Sum(static text => text.Length), 20_000, 32_000);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
    }

    private static Task<PixelBuffer<byte>> Wait(PixelAllocator allocator, int blocks, CancellationToken cancellation)
    {
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Block, blocks, cancellationToken: cancellation).AsTask();
        Assert.False(waiting.IsCompleted);
        return waiting;
    }

    private PixelAllocator Create(TimeSpan rentTimeout = default) => _system.CreateAllocator(8, options =>
    {
        options.Name = _name;
        options.MaxRentedBytes = 2 * Block;
        options.RentTimeout = rentTimeout;
    });
}

using Microsoft.Extensions.DependencyInjection;
using PixelPool.AspNetCore.Allocators;
using PixelPool.AspNetCore.History;
using PixelPool.AspNetCore.Tests.Infrastructure;
using PixelPool.Testing;

namespace PixelPool.AspNetCore.Tests.History;

/// <summary>Samples are taken while somebody looks, and not otherwise.</summary>
public sealed class MemoryHistoryTests : IDisposable
{
    private readonly ManualTime _time = new();
    private readonly PixelAllocator _allocator;
    private readonly ServiceProvider _provider;
    private readonly MemoryHistory _history;
    private int _counted;

    public MemoryHistoryTests()
    {
        _allocator = PixelAllocator.Create(new PixelAllocatorOptions { TrimPolicy = TrimPolicy.None });
        _provider = new ServiceCollection().AddSingleton(_allocator).BuildServiceProvider();
        _history = new MemoryHistory(new AllocatorList(_provider), _time, () => ++_counted);
    }

    public void Dispose()
    {
        _provider.Dispose();
        _allocator.Dispose();
    }

    [Fact]
    public void Nobody_looks_and_nothing_happens()
    {
        _time.Advance(TimeSpan.FromHours(1));
        Assert.Equal((0, 0), (_time.Timers, _counted));
    }

    [Fact]
    public void A_look_is_a_sample_and_others_follow_every_second()
    {
        _history.Look();
        Assert.Single(_history.Samples(_allocator));
        using PixelBuffer<byte> rented = _allocator.Rent<byte>(2048, 2048);
        _time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal([0, 4 << 20, 4 << 20, 4 << 20], _history.Samples(_allocator).Select(static sample => sample.RentedBytes));
    }

    [Fact]
    public void An_allocator_that_was_first_used_after_the_last_sample_has_one_too()
    {
        _history.Look();
        using PixelAllocator other = PixelAllocator.Create();
        using PixelBuffer<byte> rented = other.Rent<byte>(2048, 2048);
        _history.Look();
        Assert.Equal(4 << 20, Assert.Single(_history.Samples(other)).RentedBytes);
        Assert.Single(_history.Samples(other));
    }

    [Fact]
    public void Looks_shortly_one_after_the_other_are_one_sample()
    {
        _history.Look();
        _time.Advance(TimeSpan.FromMilliseconds(100));
        _history.Look();
        Assert.Single(_history.Samples(_allocator));
        Assert.Equal(1, _time.Timers);
    }

    [Fact]
    public void A_sample_that_fails_is_left_out()
    {
        var history = new MemoryHistory(new AllocatorList(_provider), _time, () => ++_counted == 3 ? throw new OutOfMemoryException() : 0);
        history.Look();
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal((5, 4), (_counted, history.Samples(_allocator).Length));
        history.Stop();
    }

    [Fact]
    public void Some_minutes_after_the_last_look_the_timer_is_gone()
    {
        _history.Look();
        _time.Advance(MemoryHistory.Attention - MemoryHistory.Period);
        Assert.Equal(1, _time.Timers);
        _history.Look();
        _time.Advance(MemoryHistory.Attention);
        Assert.Equal(1, _time.Timers);
        _time.Advance(2 * MemoryHistory.Period);
        Assert.Equal(0, _time.Timers);

        int counted = _counted;
        _time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(counted, _counted);
    }

    [Fact]
    public void The_next_look_goes_on()
    {
        _history.Look();
        _time.Advance(MemoryHistory.Attention + (2 * MemoryHistory.Period));
        _time.Advance(TimeSpan.FromMinutes(2));
        int before = _history.Samples(_allocator).Length;
        _history.Look();
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(before + 6, _history.Samples(_allocator).Length);
    }

    [Fact]
    public void What_is_older_than_the_window_is_not_shown()
    {
        for (int minute = 0; minute < 30; minute++)
        {
            _history.Look();
            _time.Advance(TimeSpan.FromMinutes(1));
        }

        Assert.Equal(SampleRing.Capacity, _history.Samples(_allocator).Length);
        _time.Advance(TimeSpan.FromHours(1));

        // Nobody looked since: one is taken now.
        Assert.Single(_history.Samples(_allocator));
    }

    [Fact]
    public void Looks_between_the_samples_take_no_place_from_older_ones()
    {
        _history.Look();
        for (int second = 0; second < 20 * 60; second++)
        {
            _time.Advance(TimeSpan.FromSeconds(0.6));
            _history.Look();
            _time.Advance(TimeSpan.FromSeconds(0.4));
        }

        HistorySample[] samples = _history.Samples(_allocator);
        Assert.Equal(SampleRing.Capacity, samples.Length);
        Assert.True(_time.GetElapsedTime(samples[0].Timestamp) >= MemoryHistory.Window - MemoryHistory.Period);
    }

    [Fact]
    public void After_the_end_a_look_starts_nothing()
    {
        _history.Look();
        _history.Stop();
        Assert.Equal(0, _time.Timers);
        _history.Look();
        Assert.Equal(0, _time.Timers);
    }

    [Fact]
    public void The_timer_needs_the_container_no_more()
    {
        _history.Look();
        _provider.Dispose();
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(3, _history.Samples(_allocator).Length);
    }

    /// <summary>The clock is the application's: its timers may end only when their last call has returned, which looks at the history.</summary>
    [Fact]
    public async Task The_end_does_not_hold_up_the_last_call_of_the_timer()
    {
        var time = new WaitingTime();
        var history = new MemoryHistory(new AllocatorList(_provider), time, static () => 0);
        time.LastCall = () => _ = history.Samples(_allocator);
        history.Look();
        await Task.Run(history.Stop, TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
    }

    [Fact]
    public void What_flows_with_the_request_does_not_stay_with_the_timer()
    {
        var flows = new AsyncLocal<string?> { Value = "request" };
        bool captured = true;
        _time.OnTimerCreated = _ => captured = !ExecutionContext.IsFlowSuppressed();
        _history.Look();
        Assert.False(captured);
        Assert.False(ExecutionContext.IsFlowSuppressed());
        Assert.Equal("request", flows.Value);
    }

    [Fact]
    public async Task The_page_looks_and_the_end_of_the_application_ends_it()
    {
        TestApplication application = await TestApplication.StartOpenAsync();
        ManualTime time = application.Time;
        int before = time.Timers;
        await application.GetPageAsync();
        Assert.Equal(before + 1, time.Timers);
        await application.DisposeAsync();
        Assert.Equal(before, time.Timers);
    }

    private sealed class WaitingTime : TimeProvider
    {
        public Action? LastCall { get; set; }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new WaitingTimer(this);

        private sealed class WaitingTimer(WaitingTime time) : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period) => true;

            public void Dispose() => Task.Run(time.LastCall!).Wait();

            public ValueTask DisposeAsync()
            {
                Dispose();
                return default;
            }
        }
    }
}

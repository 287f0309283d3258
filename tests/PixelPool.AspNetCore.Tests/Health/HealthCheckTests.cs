using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using PixelPool.Diagnostics;
using PixelPool.Testing;

namespace PixelPool.AspNetCore.Tests.Health;

/// <summary>When the check is not content.</summary>
public sealed class HealthCheckTests : IDisposable
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    private readonly ManualTime _time = new();
    private ServiceProvider? _provider;

    public void Dispose() => _provider?.Dispose();

    [Fact]
    public async Task An_allocator_with_room_is_healthy()
    {
        using PixelBuffer<byte> image = Start().Rent<byte>(1024, 1024);
        HealthReportEntry entry = await CheckAsync();
        Assert.Equal(HealthStatus.Healthy, entry.Status);
        Assert.Contains("1 MiB rented", (string)entry.Data["uploads"], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(4, HealthStatus.Healthy)]
    [InlineData(6, HealthStatus.Degraded)]
    [InlineData(31, HealthStatus.Unhealthy)]
    public async Task A_wait_for_budget_is_worse_the_longer_it_is(int seconds, HealthStatus expected)
    {
        PixelAllocator allocator = Start();
        PixelBuffer<byte> held = allocator.Rent<byte>(1024, 2048);
        ValueTask<PixelBuffer<byte>> asked = allocator.RentAsync<byte>(1024, 1024);
        _time.Advance(TimeSpan.FromSeconds(seconds));
        HealthReportEntry entry = await CheckAsync();
        Assert.Equal(expected, entry.Status);
        if (expected != HealthStatus.Healthy)
        {
            Assert.Equal($"uploads: 1 request waiting for budget, for up to {seconds} s.", entry.Description);
        }

        held.Dispose();
        (await asked).Dispose();
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
    }

    [Fact]
    public async Task Options_say_what_is_too_long()
    {
        PixelAllocator allocator = Start(static checks => checks.AddPixelPool(
            static options =>
            {
                options.DegradedWait = Timeout.InfiniteTimeSpan;
                options.UnhealthyWait = TimeSpan.FromMinutes(2);
            },
            failureStatus: HealthStatus.Degraded,
            tags: ["memory"]));
        PixelBuffer<byte> held = allocator.Rent<byte>(1024, 2048);
        ValueTask<PixelBuffer<byte>> asked = allocator.RentAsync<byte>(1024, 1024);
        _time.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
        _time.Advance(TimeSpan.FromSeconds(1));
        HealthReportEntry entry = await CheckAsync();
        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.Equal(["memory"], entry.Tags);
        held.Dispose();
        (await asked).Dispose();
    }

    [Fact]
    public async Task A_deadlock_is_unhealthy_at_once_and_until_it_ends()
    {
        PixelAllocator allocator = Start();
        await CheckAsync();
        using var told = new ManualResetEventSlim();
        allocator.LongWait += (_, report) => told.Set();
        using var scope = new RentScope(allocator);
        scope.Rent<byte>(1024, 2048);
        ValueTask<PixelBuffer<byte>> asked = scope.RentAsync<byte>(1024, 1024);
        for (int second = 0; second < 8; second++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.True(told.Wait(s_timeLimit, TestContext.Current.CancellationToken));
        HealthReportEntry entry = await CheckAsync();
        Assert.Equal(HealthStatus.Unhealthy, entry.Status);
        Assert.Contains("in a deadlock", entry.Description, StringComparison.Ordinal);

        scope.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await asked);
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);

        // Another wait, some time later, is none.
        _time.Advance(TimeSpan.FromSeconds(3));
        PixelBuffer<byte> held = allocator.Rent<byte>(1024, 2048);
        ValueTask<PixelBuffer<byte>> later = allocator.RentAsync<byte>(1024, 1024);
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
        held.Dispose();
        (await later).Dispose();
    }

    [Fact]
    public async Task A_deadlock_is_over_when_one_of_those_in_it_waits_no_more()
    {
        PixelAllocator allocator = Start();
        await CheckAsync();
        using var told = new CountdownEvent(3);
        allocator.LongWait += (_, report) => told.Signal();
        using var first = new RentScope(allocator);
        using var second = new RentScope(allocator);
        using var third = new RentScope(allocator);
        first.Rent<byte>(1024, 1024);
        second.Rent<byte>(1024, 1024);
        ValueTask<PixelBuffer<byte>> served = first.RentAsync<byte>(1024, 1024);
        ValueTask<PixelBuffer<byte>> ended = second.RentAsync<byte>(1024, 1024);
        ValueTask<PixelBuffer<byte>> waiting = third.RentAsync<byte>(1024, 2048);
        for (int passed = 0; passed < 8; passed++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.True(told.Wait(s_timeLimit, TestContext.Current.CancellationToken));

        // Others come and go: that ends nothing.
        using (var cancel = new CancellationTokenSource())
        {
            ValueTask<PixelBuffer<byte>> late = allocator.RentAsync<byte>(1024, 2048, cancellationToken: cancel.Token);
            await cancel.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await late);
        }

        Assert.Contains("in a deadlock", (await CheckAsync()).Description, StringComparison.Ordinal);

        second.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await ended);
        await served;
        HealthReportEntry entry = await CheckAsync();
        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.Equal("uploads: 1 request waiting for budget, for up to 8 s.", entry.Description);

        first.Dispose();
        await waiting;
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
    }

    [Fact]
    public async Task Two_allocators_of_one_name_have_figures_each()
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddPixelPool("one", static options => options.Name = "uploads");
        services.AddPixelPool("two", static options => options.Name = "uploads");
        services.AddHealthChecks().AddPixelPool();
        _provider = services.BuildServiceProvider();
        using PixelBuffer<byte> image = _provider.GetRequiredKeyedService<PixelAllocator>("two").Rent<byte>(1024, 1024);

        IReadOnlyDictionary<string, object> data = (await CheckAsync()).Data;
        Assert.Single(new[] { "uploads", "uploads (2)" }, name => ((string)data[name]).Contains("0 B rented", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_leak_is_degraded_for_some_minutes()
    {
        PixelAllocator allocator = Start();
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
        Forget(allocator);
        Collector.CollectAll();
        Assert.Equal(1, allocator.GetStatistics().LeakedCount);

        HealthReportEntry entry = await CheckAsync();
        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.Equal("uploads: 1 leak so far, the last one found 0 ms ago.", entry.Description);
        _time.Advance(TimeSpan.FromMinutes(9));
        Assert.Equal(HealthStatus.Degraded, (await CheckAsync()).Status);
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
    }

    [Fact]
    public async Task A_disposed_allocator_is_healthy()
    {
        Start().Dispose();
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
    }

    [Fact]
    public async Task A_check_that_is_cancelled_ends()
    {
        Start();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _provider!.GetRequiredService<HealthCheckService>().CheckHealthAsync(new CancellationToken(canceled: true)));
    }

    [Fact]
    public async Task Two_checks_of_two_names_have_options_each()
    {
        PixelAllocator allocator = Start(static checks => checks.AddPixelPool().AddPixelPool(static options => options.UnhealthyWait = TimeSpan.Zero, "strict"));
        PixelBuffer<byte> held = allocator.Rent<byte>(1024, 2048);
        ValueTask<PixelBuffer<byte>> asked = allocator.RentAsync<byte>(1024, 1024);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync()).Status);
        Assert.Equal(HealthStatus.Unhealthy, (await CheckAsync("strict")).Status);
        held.Dispose();
        (await asked).Dispose();
    }

    [Fact]
    public void Times_are_not_negative()
    {
        IHealthChecksBuilder checks = new ServiceCollection().AddHealthChecks();
        Assert.Throws<ArgumentOutOfRangeException>(() => checks.AddPixelPool(static options => options.DegradedWait = TimeSpan.FromSeconds(-2)));
        Assert.Throws<ArgumentOutOfRangeException>(() => checks.AddPixelPool(static options => options.UnhealthyWait = TimeSpan.MinValue));
        Assert.Throws<ArgumentOutOfRangeException>(() => checks.AddPixelPool(static options => options.LeakWindow = TimeSpan.FromTicks(-1)));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator) => allocator.Rent<byte>(1024, 1024);

    private PixelAllocator Start(Action<IHealthChecksBuilder>? add = null)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSingleton<TimeProvider>(_time);
        services.AddPixelPool("uploads", options =>
        {
            options.BlockBytes = 1 << 20;
            options.SmallBufferThresholdBytes = 0;
            options.MaxRentedBytes = 2 << 20;
            options.TimeProvider = _time;
        });
        (add ?? (static checks => checks.AddPixelPool()))(services.AddHealthChecks());
        _provider = services.BuildServiceProvider();
        return _provider.GetRequiredKeyedService<PixelAllocator>("uploads");
    }

    private async Task<HealthReportEntry> CheckAsync(string name = "pixelpool") =>
        (await _provider!.GetRequiredService<HealthCheckService>().CheckHealthAsync(TestContext.Current.CancellationToken)).Entries[name];
}

using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>A request that has waited leaves nothing behind: no timer, and nothing at the token of its caller, which may live as long as the application.</summary>
public sealed class EndedLimitsTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public EndedLimitsTests() => _system.Time.FireNewTimersAtOnce = false;

    public void Dispose() => _system.Dispose();

    [Fact]
    public async Task Its_timer_has_ended()
    {
        using PixelAllocator allocator = Create();
        int before = _system.Time.Timers;
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.True(_system.Time.Timers > before);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();

        // Those of the pool, and of the looks at what waits, stay.
        int rest = _system.Time.Timers;
        held = allocator.Rent<byte>(Block, 1);
        waiting = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.Equal(rest + 1, _system.Time.Timers);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
        Assert.Equal(rest, _system.Time.Timers);
    }

    [Fact]
    public void The_token_of_its_caller_does_not_keep_it()
    {
        using var application = new CancellationTokenSource();
        using PixelAllocator allocator = Create();
        WeakReference scope = WaitInScope(allocator, application.Token);

        // The thread that went on with the request may still be about to leave it.
        Assert.True(SpinWait.SpinUntil(() => IsCollected(scope), TimeSpan.FromMinutes(1)));
    }

    private static bool IsCollected(WeakReference target)
    {
        Collector.CollectAll();
        return !target.IsAlive;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference WaitInScope(PixelAllocator allocator, CancellationToken token)
    {
        using RentScope scope = allocator.CreateScope(Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, 1, cancellationToken: token).AsTask();
        Assert.False(waiting.IsCompleted);
        held.Dispose();
        Assert.True(waiting.Wait(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));
        return new WeakReference(scope);
    }

    private PixelAllocator Create() => _system.CreateAllocator(configure: static options =>
    {
        options.MaxRentedBytes = Block;
        options.AsyncRentTimeout = TimeSpan.FromMinutes(1);
    });
}

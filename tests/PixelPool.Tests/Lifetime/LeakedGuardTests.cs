using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>A guard whose owner was forgotten is used again. Its finalizer takes nothing that could be refused: an exception there ends the process.</summary>
public class LeakedGuardTests
{
    [Fact]
    public void Finalizer_makes_no_handle() => ChildProcess.Run(LeakTheFirst);

    private static void LeakTheFirst()
    {
        using var system = new TestSystem();
        using UniformUnmanagedMemoryPool pool = system.CreatePool();
        using WeakGuards guards = Leak(pool);
        Collector.CollectAll();
        Assert.Equal(1, pool.GetStatistics().LeakedCount);

        // A handle that was made again would be the first of the list.
        Assert.Equal([guards.Second, guards.First], pool.Blocks.Guards.Reachable());
        Assert.False(guards.First.IsFinalizationPending);
        LifetimeGuard again = pool.RentGuarded();
        Assert.Same(guards.First, again);
        Assert.True(again.TryReleaseOwner(again.Version));
        StatisticsAssert.Blocks(pool, rented: 1, idle: 1);
        Assert.True(guards.Second.TryReleaseOwner(guards.Second.Version));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakGuards Leak(UniformUnmanagedMemoryPool pool)
    {
        LifetimeGuard first = pool.RentGuarded();
        LifetimeGuard second = pool.RentGuarded();
        return new WeakGuards(first, second);
    }

    // Knows the first one weakly, also after it was finalized.
    private sealed class WeakGuards(LifetimeGuard first, LifetimeGuard second) : IDisposable
    {
        private readonly WeakReference<LifetimeGuard> _first = new(first, trackResurrection: true);

        public LifetimeGuard First => _first.TryGetTarget(out LifetimeGuard? guard) ? guard : throw new InvalidOperationException("It is gone.");

        public LifetimeGuard Second { get; } = second;

        public void Dispose() => GC.KeepAlive(Second);
    }
}

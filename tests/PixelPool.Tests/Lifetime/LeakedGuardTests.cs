using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>A guard whose owner was forgotten is not used again: something of the application may reach it still. Its finalizer needs no memory.</summary>
public class LeakedGuardTests
{
    [Fact]
    public void Finalizer_lets_the_guard_go() => ChildProcess.Run(LeakTheFirst);

    private static void LeakTheFirst()
    {
        using var system = new TestSystem();
        using UniformUnmanagedMemoryPool pool = system.CreatePool();
        var revived = new List<LifetimeGuard>();
        LifetimeGuard second = Leak(pool, revived);
        Collector.CollectAll();
        LifetimeGuard first = Assert.Single(revived);
        Assert.Equal(1, pool.GetStatistics().LeakedCount);
        Assert.Equal([second], pool.Blocks.Guards.Reachable());
        Assert.Equal(1, pool.Blocks.Guards.Count);
        Assert.True(first.IsFinalizationPending);

        // What it held is whole, and rented with another one.
        LifetimeGuard again = pool.RentGuarded();
        Assert.NotSame(first, again);
        Assert.Equal(0, pool.GetStatistics().IdleBytes);
        Assert.True(again.TryReleaseOwner(again.Version));
        StatisticsAssert.Blocks(pool, rented: 1, idle: 1);
        Assert.True(second.TryReleaseOwner(second.Version));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static LifetimeGuard Leak(UniformUnmanagedMemoryPool pool, List<LifetimeGuard> revived)
    {
        _ = new Reviver(pool.RentGuarded(), revived);
        return pool.RentGuarded();
    }

    // A handle of the application that outlives its own finalization.
    private sealed class Reviver(LifetimeGuard guard, List<LifetimeGuard> revived)
    {
        ~Reviver() => revived.Add(guard);
    }
}

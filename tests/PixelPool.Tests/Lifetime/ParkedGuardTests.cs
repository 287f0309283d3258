using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>Parked guards are memory, too: none is made while another processor has one, and those that nobody needs any more are let go.</summary>
public sealed unsafe partial class ParkedGuardTests
{
    private const int Rents = 20_000;

    [Fact]
    public void Rents_and_returns_on_different_processors_make_no_guards()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && CanBind(), "needs two processors, and threads that can be bound to them");
        using PixelAllocator allocator = PixelAllocator.Create();
        var handedOver = new PixelLease<byte>[1];
        using var full = new SemaphoreSlim(0);
        using var empty = new SemaphoreSlim(1);
        var returning = new Thread(() =>
        {
            TryBind(processor: 1);
            for (int i = 0; i < 2 * Rents; i++)
            {
                full.Wait(TestContext.Current.CancellationToken);
                handedOver[0].Dispose();
                empty.Release();
            }
        });
        long allocated = 0;
        var renting = new Thread(() =>
        {
            TryBind(processor: 0);
            for (int i = 0; i < 2 * Rents; i++)
            {
                if (i == Rents)
                {
                    allocated = GC.GetAllocatedBytesForCurrentThread();
                }

                empty.Wait(TestContext.Current.CancellationToken);
                handedOver[0] = allocator.Lease<byte>(4096, 1024);
                full.Release();
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        });
        returning.Start();
        renting.Start();
        renting.Join();
        returning.Join();

        // A guard has some hundred bytes; semaphores may allocate a little when they wait.
        Assert.InRange(allocated, 0, Rents * 100);
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Guards_of_a_burst_are_let_go_with_its_blocks()
    {
        using var system = new TestSystem();
        using UniformUnmanagedMemoryPool pool = system.CreatePool(TrimPolicy.Demand);
        WeakReference[] guards = Burst(pool, count: 40);
        system.Time.Advance(TimeSpan.FromSeconds(25));
        Collector.CollectAll();
        Assert.All(guards, static guard => Assert.True(guard.IsAlive));

        system.Time.Advance(TimeSpan.FromSeconds(35));
        Collector.CollectAll();
        Assert.All(guards, static guard => Assert.False(guard.IsAlive));
        Assert.Equal(0, pool.GetStatistics().LeakedCount);
    }

    [Fact]
    public void Guards_in_use_stay()
    {
        using var system = new TestSystem();
        using UniformUnmanagedMemoryPool pool = system.CreatePool(TrimPolicy.Demand);
        Burst(pool, count: 3);
        system.Time.Advance(TimeSpan.FromMinutes(2), TimeSpan.FromSeconds(1), () => Burst(pool, count: 3));
        WeakReference[] guards = Burst(pool, count: 3);
        Collector.CollectAll();
        Assert.All(guards, static guard => Assert.True(guard.IsAlive));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference[] Burst(UniformUnmanagedMemoryPool pool, int count)
    {
        LifetimeGuard[] guards = [.. Enumerable.Range(0, count).Select(_ => pool.TryRentGuarded(1, out int _)!)];
        foreach (LifetimeGuard guard in guards)
        {
            Assert.True(guard.TryReleaseOwner(guard.Version));
        }

        return [.. guards.Select(static guard => new WeakReference(guard))];
    }

    // On a thread of its own, which keeps the binding.
    private static bool CanBind()
    {
        bool canBind = false;
        var thread = new Thread(() => canBind = TryBind(processor: 0) && TryBind(processor: 1));
        thread.Start();
        thread.Join();
        return canBind;
    }

    private static bool TryBind(int processor)
    {
        ulong mask = 1UL << processor;
        return sched_setaffinity(0, sizeof(ulong), &mask) == 0;
    }

    [LibraryImport("libc")]
    private static partial int sched_setaffinity(int thread, nint bytes, ulong* mask);
}

using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>Parked guards are memory, too: none is made while another processor has one, and those that nobody needs any more are let go.</summary>
public sealed class ParkedGuardTests
{
    private const int Rents = 1_000;

    /// <summary>Guards of whole blocks come with them; those of arrays are looked for by themselves.</summary>
    [Theory]
    [InlineData(4096, 1024)]
    [InlineData(100, 10)]
    public void Rents_and_returns_on_different_processors_make_no_guards(int width, int height)
    {
        Assert.SkipUnless(ProcessorBinding.IsSupported, "needs two processors, and threads that can be bound to them");

        // Rare rents, as on a machine that is busy with other things, are all recorded otherwise.
        // And threads keep arrays of the shared pool, with their guards.
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { LeakTracking = LeakTracking.Off, ArrayPool = ArrayPool<byte>.Create() });
        var handedOver = new PixelLease<byte>[1];
        using var full = new SemaphoreSlim(0);
        using var empty = new SemaphoreSlim(1);
        var returning = new Thread(() =>
        {
            ProcessorBinding.TryBind(processor: 1);
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
            ProcessorBinding.TryBind(processor: 0);
            for (int i = 0; i < 2 * Rents; i++)
            {
                if (i == Rents)
                {
                    allocated = GC.GetAllocatedBytesForCurrentThread();
                }

                empty.Wait(TestContext.Current.CancellationToken);
                handedOver[0] = allocator.Lease<byte>(width, height);
                full.Release();
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        });
        returning.Start();
        renting.Start();
        renting.Join();
        returning.Join();

        // A guard has hundreds of bytes; a semaphore that waits allocates a hundred.
        Assert.InRange(allocated, 0, Rents * 200);
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

    /// <summary>Small images leave no idle block behind, only guards.</summary>
    [Fact]
    public void Guards_of_a_burst_of_small_images_are_let_go_although_no_block_is_idle()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options =>
        {
            options.TrimPolicy = TrimPolicy.Demand;
            options.ArrayPool = ArrayPool<byte>.Create();
        });
        LifetimeGuard[]? guards = SmallBurst(allocator);
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        var known = new WeakReference[guards.Length];
        for (int i = 0; i < guards.Length; i++)
        {
            known[i] = new WeakReference(guards[i]);
        }

        guards = null;
        system.Time.Advance(TimeSpan.FromSeconds(60));
        Collector.CollectAll();
        Assert.InRange(known.Count(static guard => guard.IsAlive), 0, 64);
        Assert.Equal(0, system.Time.ActiveTimers);
        Assert.Equal(0, allocator.GetStatistics().LeakedCount);
    }

    [Fact]
    public void Trim_lets_all_but_a_few_guards_go()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options => options.ArrayPool = ArrayPool<byte>.Create());
        SmallBurst(allocator);
        Assert.Equal(0, allocator.Trim());
        Assert.InRange(GuardsOf(allocator).Count, 0, 32 * 64);
        Assert.True(GuardsOf(allocator).Count < 10_000);
        SmallBurst(allocator);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    /// <summary>They have survived collections, so only a full one takes them. That is for the application to ask for.</summary>
    [Fact]
    public void A_trim_starts_no_collection() => ChildProcess.Run(TrimAfterBurst);

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
        LifetimeGuard[] guards = [.. Enumerable.Range(0, count).Select(_ => pool.RentGuarded())];
        foreach (LifetimeGuard guard in guards)
        {
            Assert.True(guard.TryReleaseOwner(guard.Version));
        }

        return [.. guards.Select(static guard => new WeakReference(guard))];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static LifetimeGuard[] SmallBurst(PixelAllocator allocator)
    {
        PixelLease<byte>[] leases = [.. Enumerable.Range(0, 10_000).Select(_ => allocator.Lease<byte>(10, 10))];
        List<LifetimeGuard> guards = GuardsOf(allocator);
        Array.ForEach(leases, static lease => lease.Dispose());
        return [.. guards];
    }

    private static void TrimAfterBurst()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        SmallBurst(allocator);
        int before = GC.CollectionCount(0);
        allocator.Trim();
        Assert.Equal(before, GC.CollectionCount(0));
    }

    private static List<LifetimeGuard> GuardsOf(PixelAllocator allocator) => allocator.Tracking.Guards.Reachable();
}

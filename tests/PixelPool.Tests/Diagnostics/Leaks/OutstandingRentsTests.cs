using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>What is held now can be listed: all of it, whole, and nothing else.</summary>
public sealed class OutstandingRentsTests : IDisposable
{
    private readonly TestSystem _system = new();

    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Every_tier_is_listed_with_the_bytes_it_holds(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        PixelBuffer<uint> view = image.View(0, 0, 1, 1);
        image.Dispose();
        long held = Assert.Single(allocator.GetOutstandingRents()).Bytes;
        if (tier != MemoryTier.Slab)
        {
            Assert.Equal(allocator.GetStatistics().RentedBytes, held);
        }

        Assert.True(held >= (long)image.Stride * image.Height);
        view.Dispose();
        Assert.Empty(allocator.GetOutstandingRents());
    }

    [Fact]
    public void Charges_and_reservations_are_listed_as_such_while_they_last()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.LeakTracking = LeakTracking.Full);
        RentScope scope = allocator.ReserveScope(9 << 20); string reserved = SourceLine.Here(GetType());
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        scope.Rent<byte>(40_000, 1); string rented = SourceLine.Here(GetType());
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        ExternalCharge charge = scope.ChargeExternal(5 << 20); string charged = SourceLine.Here(GetType());
        IReadOnlyList<RentRecord> held = allocator.GetOutstandingRents();
        Assert.Equal([RentKind.Reservation, RentKind.Memory, RentKind.ExternalCharge], held.Select(static rent => rent.Kind));
        Assert.Equal([9 << 20, TestSystem.BlockBytes, 5 << 20], held.Select(static rent => rent.Bytes));
        Assert.Equal(
            [
                "9 MiB, held for 2 s, reserved at " + reserved,
                "64 KiB, held for 1 s, rented at " + rented,
                "5 MiB, held for 0 s, charged at " + charged,
            ],
            held.Select(static rent => rent.ToString()));
        charge.Dispose();
        Assert.Equal([RentKind.Reservation, RentKind.Memory], allocator.GetOutstandingRents().Select(static rent => rent.Kind));
        scope.Dispose();
        Assert.Empty(allocator.GetOutstandingRents());
    }

    [Fact]
    public void Oldest_come_first_then_the_largest_of_unknown_age()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.LeakTracking = LeakTracking.Off);
        using var scope = new RentScope(allocator);
        scope.Rent<byte>(40_000, 2);
        scope.Rent<byte>(40_000, 4);
        scope.Rent<byte>(40_000, 3);
        using (allocator.TrackLeaks())
        {
            scope.Rent<byte>(40_000, 1);
            _system.Time.Advance(TimeSpan.FromSeconds(5));
            scope.Rent<byte>(40_000, 6);
            _system.Time.Advance(TimeSpan.FromSeconds(2));
        }

        Assert.Equal(
            [(1, 7), (6, 2), (4, null), (3, null), (2, null)],
            allocator.GetOutstandingRents().Select(static rent => ((int)(rent.Bytes / TestSystem.BlockBytes), (int?)rent.Age?.TotalSeconds)));
    }

    [Fact]
    public void Oldest_come_first_also_when_time_passes_while_they_are_listed()
    {
        var time = new RestlessTime();
        using PixelAllocator allocator = _system.CreateAllocator(
            configure: options => (options.LeakTracking, options.TimeProvider, options.TrimPolicy) = (LeakTracking.Full, time, TrimPolicy.None));
        PixelBuffer<byte>[] images = new PixelBuffer<byte>[5];
        for (int round = 0; round < 2; round++)
        {
            // In the second round the guards come back in the other order.
            for (int i = 0; i < images.Length; i++)
            {
                images[i] = allocator.Rent<byte>(40_000, i + 1);
                time.Now++;
            }

            time.Step = 1000;
            IReadOnlyList<RentRecord> rents = allocator.GetOutstandingRents();
            time.Step = 0;
            Assert.Equal([1, 2, 3, 4, 5], rents.Select(static rent => rent.Bytes / TestSystem.BlockBytes));
            Assert.All(rents, static rent => Assert.True(rent.Age >= TimeSpan.Zero));
            foreach (PixelBuffer<byte> image in images)
            {
                image.Dispose();
            }
        }
    }

    [Fact]
    public void Listing_keeps_nothing_alive()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        IReadOnlyList<RentRecord> listed = RentAndList(allocator);
        Collector.CollectAll();
        Assert.Equal(1, allocator.GetStatistics().LeakedCount);
        Assert.Empty(allocator.GetOutstandingRents());
        Assert.Single(listed);
    }

    [Fact]
    public void Leaks_come_back_and_are_listed_when_they_are_rented_again()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        for (int i = 1; i <= 3; i++)
        {
            RentAndList(allocator);
            Collector.CollectAll();
            Assert.Equal(i, allocator.GetStatistics().LeakedCount);
            Assert.Empty(allocator.GetOutstandingRents());
            RentListAndReturn(allocator);
        }
    }

    [Fact]
    public void Guards_that_are_let_go_leave_the_registry()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        PixelPool.Lifetime.LifetimeGuard[] guards = [.. Enumerable.Range(0, 5).Select(_ => pool.RentGuarded())];
        Assert.Equal(5, pool.Blocks.Guards.Reachable().Count);
        Assert.All(guards, static guard => Assert.True(guard.TryReleaseOwner(guard.Version)));
        Assert.Equal(5, pool.Blocks.Guards.Reachable().Count);
        pool.Dispose();
        Assert.Empty(pool.Blocks.Guards.Reachable());
        GC.KeepAlive(guards);
    }

    [Fact]
    public void Listed_rents_are_whole_while_threads_rent_and_return()
    {
        int seed = Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        const int Threads = 4;
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.LeakTracking = LeakTracking.Full);
        int running = Threads - 1;
        Simultaneously.Run(Threads, index =>
        {
            if (index != 0)
            {
                var random = new Random(seed + index);
                for (int i = 0; i < 4000; i++)
                {
                    using PixelBuffer<byte> image = random.Next(2) == 0 ? RentOne(allocator) : RentThree(allocator);
                }

                Interlocked.Decrement(ref running);
                return;
            }

            while (Volatile.Read(ref running) != 0)
            {
                IReadOnlyList<RentRecord> rents = allocator.GetOutstandingRents();
                Assert.InRange(rents.Count, 0, Threads - 1);
                foreach (RentRecord rent in rents)
                {
                    // A rent that has just begun is not recorded yet; otherwise place and size belong together.
                    string expected = rent.Bytes == TestSystem.BlockBytes ? nameof(RentOne) : nameof(RentThree);
                    Assert.True(rent.Bytes is TestSystem.BlockBytes or 3 * TestSystem.BlockBytes, $"{rent}");
                    Assert.True(rent.Place is null || rent.Place.Contains(expected, StringComparison.Ordinal), $"{rent}");
                }
            }
        });
        Assert.Empty(allocator.GetOutstandingRents());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PixelBuffer<byte> RentOne(PixelAllocator allocator) => allocator.Rent<byte>(40_000, 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PixelBuffer<byte> RentThree(PixelAllocator allocator) => allocator.Rent<byte>(40_000, 3);

    // Not inlined: the variable would keep the guard, which the next round leaks.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentListAndReturn(PixelAllocator allocator)
    {
        using PixelBuffer<byte> image = allocator.Rent<byte>(40_000, 1);
        Assert.Single(allocator.GetOutstandingRents());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IReadOnlyList<RentRecord> RentAndList(PixelAllocator allocator)
    {
        PixelBuffer<byte> image = allocator.Rent<byte>(40_000, 1);
        IReadOnlyList<RentRecord> listed = allocator.GetOutstandingRents();
        GC.KeepAlive(image);
        return listed;
    }

    /// <summary>A clock that goes on with every look at it.</summary>
    private sealed class RestlessTime : TimeProvider
    {
        public long Now { get; set; }

        public long Step { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Now += Step;
    }
}

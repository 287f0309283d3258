using System.Diagnostics;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Which rents are recorded, and that the time this takes is bounded.</summary>
public sealed class SamplingTests : IDisposable
{
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(100);

    // Those between a test and a capture.
    private const int OwnFrames = 12;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Off_records_nothing_and_still_lists()
    {
        using PixelAllocator allocator = Create(LeakTracking.Off);
        using var scope = new RentScope(allocator);
        Rent(scope, 3);
        Assert.Equal(3, allocator.GetOutstandingRents().Count);
        Assert.All(allocator.GetOutstandingRents(), static rent =>
        {
            Assert.Equal(TestSystem.BlockBytes, rent.Bytes);
            Assert.Null(rent.Age);
            Assert.Null(rent.Stack);
            Assert.Null(rent.Place);
        });
    }

    [Fact]
    public void Full_records_every_rent_hits_too()
    {
        using PixelAllocator allocator = Create(LeakTracking.Full);
        for (int round = 0; round < 3; round++)
        {
            using var scope = new RentScope(allocator);
            Rent(scope, 50);
            Assert.Equal(50, Recorded(allocator));
        }

        Assert.NotEqual(0, allocator.GetStatistics().Hits);
    }

    [Fact]
    public void Sampled_records_the_first_rents_all()
    {
        using PixelAllocator allocator = Create(LeakTracking.Sampled);
        using var scope = new RentScope(allocator);
        Rent(scope, CaptureSampler.FirstCaptures + 10);

        // And the next one: there was nothing yet to rest from.
        Assert.Equal(CaptureSampler.FirstCaptures + 1, Recorded(allocator));
    }

    [Fact]
    public void Sampled_records_one_rent_per_rest()
    {
        using PixelAllocator allocator = Create(LeakTracking.Sampled);
        using var scope = new RentScope(allocator);
        Rent(scope, CaptureSampler.FirstCaptures);
        int before = 0;
        for (int i = 0; i <= 5; i++)
        {
            // Misses: every one asks, and the first one after the rest is recorded.
            Rent(scope, 10);
            int recorded = Recorded(allocator);
            _system.Time.Advance(s_rest - TimeSpan.FromTicks(1));
            Rent(scope, 1);

            // In the first round the free captures end.
            Assert.True(i == 0 || (recorded == before + 1 && Recorded(allocator) == recorded), $"round {i}: {before}, {recorded}, {Recorded(allocator)}");
            before = Recorded(allocator);
            _system.Time.Advance(TimeSpan.FromTicks(1));
        }
    }

    [Fact]
    public void Sampled_records_every_hit_while_rents_are_rare()
    {
        using PixelAllocator allocator = CreateSampled();
        allocator.Rent<byte>(40_000, 1).Dispose();
        for (int i = 0; i < 300; i++)
        {
            _system.Time.Advance(s_rest);
            using PixelBuffer<byte> image = allocator.Rent<byte>(40_000, 1);
            Assert.Equal(1, Recorded(allocator));
        }
    }

    [Fact]
    public void Sampled_comes_back_to_every_hit_when_frequent_rents_end()
    {
        using PixelAllocator allocator = CreateSampled();
        for (int i = 0; i < 10_000; i++)
        {
            allocator.Rent<byte>(40_000, 1).Dispose();
        }

        // On each of the stripes, if the thread moves between them.
        int recorded = 0;
        int rents = 4 * CaptureSampler.MaxInterval * Environment.ProcessorCount;
        for (int i = 0; i < rents; i++)
        {
            _system.Time.Advance(s_rest);
            using PixelBuffer<byte> image = allocator.Rent<byte>(40_000, 1);
            recorded += Recorded(allocator);
        }

        Assert.InRange(recorded, rents / 4, rents);
    }

    [Fact]
    public void After_a_leak_that_was_not_recorded_everything_is_for_a_while()
    {
        using PixelAllocator allocator = CreateSampled();
        LeaseOften(allocator);
        using var leaks = new ReportedLeaks(allocator);
        LeakOne(allocator);
        Assert.Null(leaks.Next().Place);

        using var scope = new RentScope(allocator);
        _system.Time.Advance(TimeSpan.FromSeconds(29));
        Rent(scope, 100);
        Assert.Equal(100, Recorded(allocator));

        // That names it.
        LeakOne(allocator);
        Assert.Contains(nameof(Forget), leaks.Next().Place, StringComparison.Ordinal);
        _system.Time.Advance(TimeSpan.FromSeconds(1));
        Rent(scope, 100);
        Assert.InRange(Recorded(allocator), 100, 102);

        // Such a time costs something: the next one comes later.
        for (int minute = 0; minute < 15; minute++)
        {
            LeakOne(allocator);
            bool isAll = leaks.Next().Place is null && minute >= 10;
            int before = Recorded(allocator);
            Rent(scope, 10);
            Assert.Equal(isAll ? 10 : 0, Recorded(allocator) - before);
            if (isAll)
            {
                return;
            }

            _system.Time.Advance(TimeSpan.FromMinutes(1));
            Rent(scope, 1);
        }

        Assert.Fail("never again");
    }

    [Fact]
    public void Without_another_leak_that_ends()
    {
        using PixelAllocator allocator = CreateSampled();
        LeaseOften(allocator);
        using var leaks = new ReportedLeaks(allocator);
        LeakOne(allocator);
        Assert.Null(leaks.Next().Place);
        using var scope = new RentScope(allocator);
        _system.Time.Advance(TimeSpan.FromSeconds(30));
        Rent(scope, 100);
        Assert.InRange(Recorded(allocator), 0, 2);
    }

    [Fact]
    public void Clock_that_fails_does_not_reach_who_rents()
    {
        var clock = new FailingClock(_system.Time);
        using PixelAllocator allocator = _system.CreateAllocator(configure: options => options.TimeProvider = clock);
        clock.GoodReads = clock.Reads;
        using PixelBuffer<byte> first = allocator.Rent<byte>(40_000, 1);
        Assert.Equal(0, Recorded(allocator));
        using PixelBuffer<byte> second = allocator.Rent<byte>(40_000, 1);
        Assert.Equal(1, Recorded(allocator));
    }

    [Fact]
    public async Task Whatever_waits_for_much_is_recorded()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 64 * TestSystem.BlockBytes);
        using var waiting = new CancellationTokenSource();
        using PixelBuffer<byte> held = allocator.Rent<byte>(TestSystem.BlockBytes, 64);
        Task[] waits = [.. Enumerable.Range(0, 100).Select(_ => allocator.RentAsync<byte>(TestSystem.BlockBytes, 2, cancellationToken: waiting.Token).AsTask())];
        Assert.All(allocator.GetWaitingRents(), static wait => Assert.Contains(nameof(Whatever_waits_for_much_is_recorded), wait.Place, StringComparison.Ordinal));
        await waiting.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Task.WhenAll(waits));
    }

    [Theory]
    [InlineData(LeakTracking.Off, 0)]
    [InlineData(LeakTracking.Full, 100)]
    public void A_leak_changes_nothing_of_what_was_chosen(LeakTracking tracking, int recorded)
    {
        using PixelAllocator allocator = Create(tracking);
        using var leaks = new ReportedLeaks(allocator);
        LeakOne(allocator);
        Assert.Equal(recorded != 0, leaks.Next().Place is not null);
        using var scope = new RentScope(allocator);
        Rent(scope, 100);
        Assert.Equal(recorded, Recorded(allocator));
    }

    [Fact]
    public void Hits_while_the_sampler_rests_allocate_nothing()
    {
        using PixelAllocator allocator = CreateSampled();
        for (int i = 0; i < 1000; i++)
        {
            allocator.Lease<byte>(40_000, 1).Dispose();
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 10_000; i++)
        {
            allocator.Lease<byte>(40_000, 1).Dispose();
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Garbage_of_samples_of_a_known_place_is_bounded()
    {
        using PixelAllocator allocator = CreateSampled();
        int frames = new StackTrace().FrameCount + OwnFrames;
        LeaseFor(allocator, seconds: 1);
        long before = GC.GetAllocatedBytesForCurrentThread();
        LeaseFor(allocator, seconds: 10);
        long perSecond = (GC.GetAllocatedBytesForCurrentThread() - before) / 10;
        Assert.InRange(perSecond, 1, 10 * (3000 + (300 * frames)));
    }

    [Fact]
    public void A_stack_that_is_known_costs_its_frames_and_nothing_else()
    {
        var stacks = new RentStackTable();
        long bytes = 0;
        int frames = 0;

        // The runtime needs more for each frame of a deep stack: a thread of its own has few.
        var thread = new Thread(() =>
        {
            Capture(stacks, 100);
            frames = new StackTrace().FrameCount + 1;
            long before = GC.GetAllocatedBytesForCurrentThread();
            Capture(stacks, 100);
            bytes = (GC.GetAllocatedBytesForCurrentThread() - before) / 100;
        });
        thread.Start();
        thread.Join();
        Assert.InRange(bytes, 1, 3000 + (300 * frames));
    }

    private PixelAllocator Create(LeakTracking tracking) =>
        _system.CreateAllocator(capacityInBlocks: 256, configure: options => options.LeakTracking = tracking);

    private PixelAllocator CreateSampled()
    {
        PixelAllocator allocator = Create(LeakTracking.Sampled);
        using var scope = new RentScope(allocator);
        Rent(scope, CaptureSampler.FirstCaptures);
        return allocator;
    }

    // Not in the test itself: what it leaves in a frame is a lease, and that knows its guard.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LeaseOften(PixelAllocator allocator)
    {
        for (int i = 0; i < 10_000; i++)
        {
            allocator.Lease<byte>(40_000, 1).Dispose();
        }
    }

    // A hundred rents in a second, and nothing else.
    private void LeaseFor(PixelAllocator allocator, int seconds)
    {
        for (int i = 0; i < 100 * seconds; i++)
        {
            allocator.Lease<byte>(40_000, 1).Dispose();
            _system.Time.Advance(TimeSpan.FromMilliseconds(10));
        }
    }

    private static void Capture(RentStackTable stacks, int count)
    {
        for (int i = 0; i < count; i++)
        {
            stacks.Capture();
        }
    }

    private static void LeakOne(PixelAllocator allocator)
    {
        Forget(allocator);
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator) => GC.KeepAlive(allocator.Rent<byte>(40_000, 1));

    private static void Rent(RentScope scope, int count)
    {
        for (int i = 0; i < count; i++)
        {
            scope.Rent<byte>(40_000, 1);
        }
    }

    private static int Recorded(PixelAllocator allocator) => allocator.GetOutstandingRents().Count(static rent => rent.Place is not null);
}

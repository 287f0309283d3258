using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>A test asks whether all was given back, and is told what was not.</summary>
public sealed class LeakTrackerTests : IDisposable
{
    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public LeakTrackerTests() => _allocator = _system.CreateAllocator(configure: static options => options.LeakTracking = LeakTracking.Off);

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Everything_given_back_passes()
    {
        using LeakTracker check = _allocator.TrackLeaks();
        for (int i = 0; i < 3; i++)
        {
            _allocator.Rent<byte>(40_000, 3).Dispose();
            check.AssertNone();
        }
    }

    [Fact]
    public void What_is_held_is_named()
    {
        using LeakTracker check = _allocator.TrackLeaks();
        using PixelBuffer<byte> image = _allocator.Rent<byte>(40_000, 3); string place = SourceLine.Here(GetType());
        PixelLeakException error = Assert.Throws<PixelLeakException>(check.AssertNone);
        Assert.Empty(error.Leaked);
        RentRecord rent = Assert.Single(error.Held);
        Assert.Equal(place, rent.Place);
        Assert.Equal(3 * TestSystem.BlockBytes, rent.Bytes);
        Assert.StartsWith("1 rent is still held:", error.Message, StringComparison.Ordinal);
        Assert.Contains(place, error.Message, StringComparison.Ordinal);
        image.Dispose();
        check.AssertNone();
    }

    [Fact]
    public void What_was_forgotten_is_named_without_a_collection_by_the_test()
    {
        using LeakTracker check = _allocator.TrackLeaks();
        string place = Forget();
        PixelLeakException error = Assert.Throws<PixelLeakException>(check.AssertNone);
        Assert.Empty(error.Held);
        Assert.Equal(place, Assert.Single(error.Leaked).Place);
        Assert.Contains("1 rent is forgotten:", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
        Assert.Throws<PixelLeakException>(check.AssertNone);
    }

    [Fact]
    public void Earlier_rents_are_not_its_business()
    {
        using PixelBuffer<byte> earlier = _allocator.Rent<byte>(40_000, 1);
        using LeakTracker first = _allocator.TrackLeaks();
        using PixelBuffer<byte> image = _allocator.Rent<byte>(40_000, 1);
        Forget();
        using LeakTracker second = _allocator.TrackLeaks();
        Collector.CollectAll();
        second.AssertNone();
        PixelLeakException error = Assert.Throws<PixelLeakException>(first.AssertNone);
        Assert.Single(error.Held);
        Assert.Single(error.Leaked);
    }

    [Fact]
    public void Earlier_rents_that_leak_while_it_starts_are_not_its_business()
    {
        var tracking = new RentTracking(nameof(LeakTrackerTests), _system.Options());
        var earlier = new RentFacts(1, RentKind.Memory, CountsByItself: true, Tag: null, new RentTrace(null, TimeSpan.Zero, Epoch: 0), RentHolder.Owner, HolderTrace: null);
        bool stop = false;
        Simultaneously.Run(2, index =>
        {
            while (index == 1 && !Volatile.Read(ref stop))
            {
                tracking.OnLeaked(in earlier);
            }

            try
            {
                for (int i = 0; index == 0 && i < 2000; i++)
                {
                    using var check = new LeakTracker(tracking);
                    check.AssertNone();
                }
            }
            finally
            {
                Volatile.Write(ref stop, true);
            }
        });
    }

    [Fact]
    public void Hits_are_tracked_from_the_first_one_on_and_no_more_after_the_end()
    {
        for (int i = 0; i < 1000; i++)
        {
            _allocator.Rent<byte>(40_000, 1).Dispose();
        }

        using (LeakTracker check = _allocator.TrackLeaks())
        {
            using PixelBuffer<byte> image = _allocator.Rent<byte>(40_000, 1);
            Assert.Single(Assert.Throws<PixelLeakException>(check.AssertNone).Held);
        }

        // The first rent of each stripe may still be looked at.
        for (int i = 0; i < 1000; i++)
        {
            using PixelBuffer<byte> image = _allocator.Rent<byte>(40_000, 1);
            Assert.Null(Assert.Single(_allocator.GetOutstandingRents()).Place);
        }
    }

    [Fact]
    public void Every_other_tier_is_tracked()
    {
        using PixelAllocator slabs = _system.CreateAllocator(capacityInBlocks: 4, static options => options.SmallBuffers = SmallBufferStrategy.Slab);
        foreach (PixelAllocator allocator in new[] { _allocator, slabs })
        {
            using LeakTracker check = allocator.TrackLeaks();
            using var scope = new RentScope(allocator);
            scope.Rent<byte>(100, 1);
            scope.Rent<byte>(40_000, 2, AllocationOptions.Contiguous);
            scope.Rent<byte>(40_000, 100);
            scope.Allocate<int>(0);
            scope.ChargeExternal(1);
            scope.ReserveScope(1);
            Assert.Equal(6, Assert.Throws<PixelLeakException>(check.AssertNone).Held.Count);
        }
    }

    [Fact]
    public void Message_counts_what_is_no_rent_apart()
    {
        using LeakTracker check = _allocator.TrackLeaks();
        using ExternalCharge charge = _allocator.ChargeExternal(1);
        Assert.StartsWith("1 external charge is still held:", Assert.Throws<PixelLeakException>(check.AssertNone).Message, StringComparison.Ordinal);
        using RentScope reserved = _allocator.ReserveScope(1);
        using RentScope other = _allocator.ReserveScope(1);
        using PixelBuffer<byte> image = _allocator.Rent<byte>(40_000, 1);
        Assert.StartsWith(
            "1 rent, 1 external charge, 2 reservations are still held:",
            Assert.Throws<PixelLeakException>(check.AssertNone).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Message_names_ten_and_counts_the_rest()
    {
        using LeakTracker check = _allocator.TrackLeaks();
        using var scope = new RentScope(_allocator);
        for (int i = 0; i < 12; i++)
        {
            scope.Rent<byte>(40_000, 1);
        }

        string message = Assert.Throws<PixelLeakException>(check.AssertNone).Message;
        Assert.StartsWith("12 rents are still held:", message, StringComparison.Ordinal);
        Assert.EndsWith("- and 2 more", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Rents_outlive_their_allocator_and_are_named()
    {
        PixelAllocator allocator = _system.CreateAllocator();
        using LeakTracker check = allocator.TrackLeaks();
        PixelBuffer<byte> image = allocator.Rent<byte>(40_000, 1);
        allocator.Dispose();
        Assert.Single(Assert.Throws<PixelLeakException>(check.AssertNone).Held);
        image.Dispose();
        check.AssertNone();
    }

    [Fact]
    public void Ended_tracker_says_so()
    {
        LeakTracker check = _allocator.TrackLeaks();
        check.Dispose();
        check.Dispose();
        Assert.Throws<ObjectDisposedException>(check.AssertNone);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private string Forget()
    {
        _allocator.Rent<byte>(40_000, 1).Clear(); return SourceLine.Here(GetType());
    }
}

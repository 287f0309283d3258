using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Diagnostics.Events;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers.Wrapping;

/// <summary>Memory of others is released exactly once, when nobody uses it any more: also after a leak, and whatever the owner's code throws.</summary>
public sealed class WrapReleaseTests : IDisposable
{
    private const int Bytes = 400;

    private readonly NativeBitmap _bitmap = new(Bytes);
    private readonly TestSystem _system = new();

    public void Dispose()
    {
        _bitmap.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Views_pins_and_delegates_keep_it()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        PixelBuffer<uint> image = Wrap(allocator);
        PinnedPixels pin = image.Pin();
        PixelBuffer<uint> view = image.View(1, 1, 2, 2);
        image.ProcessPixelRows(accessor =>
        {
            image.Dispose();
            pin.Dispose();
            view.Dispose();
            Assert.Equal(0, _bitmap.Releases);
            accessor.GetRowSpan(0)[0] = 1;
        });
        Assert.Equal(1, _bitmap.Releases);
        image.Dispose();
        Assert.Equal(1, _bitmap.Releases);
        Assert.Throws<ObjectDisposedException>(() => image[0, 0]);
    }

    [Fact]
    public void Many_threads_release_it_once()
    {
        const int Threads = 4;
        using PixelAllocator allocator = _system.CreateAllocator();
        for (int round = 0; round < 500; round++)
        {
            int releases = 0;
            PixelBuffer<uint> image = allocator.Wrap<uint>(_bitmap.Address, 10, 10, 40, _ => Interlocked.Increment(ref releases), charge: round % 2 == 0);
            PixelBuffer<uint>[] views = [.. Enumerable.Range(0, Threads).Select(i => image.View(i, i, 2, 2))];
            Parallel.For(0, Threads, i =>
            {
                image.Dispose();
                views[i].Dispose();
                views[i].Dispose();
            });
            Assert.Equal(1, releases);
        }

        Assert.Equal(0, allocator.GetStatistics().ExternalBytes);
    }

    [Fact]
    public void What_it_throws_leaves_Dispose_with_accounts_that_are_right()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = Bytes);
        for (int i = 0; i < 3; i++)
        {
            PixelPoolStatistics then = default;
            PixelBuffer<uint> image = allocator.Wrap<uint>(
                _bitmap.Address,
                10,
                10,
                40,
                _ =>
                {
                    then = allocator.GetStatistics();
                    allocator.ChargeExternal(Bytes).Dispose();
                    throw new NotSupportedException("the owner's");
                },
                charge: true);
            Assert.Equal((Bytes, Bytes), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().ExternalBytes));
            Assert.Equal("the owner's", Assert.Throws<NotSupportedException>(image.Dispose).Message);
            Assert.Equal((0L, 0L), (then.ChargedBytes, then.ExternalBytes));
            image.Dispose();
            Assert.True(image.IsDisposed);
        }

        Assert.Empty(allocator.GetOutstandingRents());
    }

    [Fact]
    public void A_scope_of_views_goes_on_after_what_it_throws()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using (PixelBuffer<uint> other = allocator.Rent<uint>(10, 10))
        {
            var owner = new CountingOwner(Bytes);
            PixelBuffer<uint> broken = allocator.Wrap<uint>(_bitmap.Address, 10, 10, 40, static _ => throw new NotSupportedException());
            PixelBuffer<uint> sound = allocator.Wrap<uint>(owner, 10, 10, 40);
            Assert.Throws<NotSupportedException>(broken.Dispose);
            sound.Dispose();
            Assert.Equal(1, owner.Disposals);
        }

        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_leak_releases_it_once(bool charge)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = Bytes);
        var owner = new CountingOwner(Bytes);
        Forget(allocator, owner, charge);
        Collector.CollectAll();
        Assert.Equal((0, 1), (owner.Pins, owner.Disposals));
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((1L, Bytes, 0L, 0L), (statistics.LeakedCount, statistics.LeakedBytes, statistics.ChargedBytes, statistics.ExternalBytes));
        Collector.CollectAll();
        Assert.Equal(1, owner.Disposals);
    }

    [Fact]
    public void What_it_throws_after_a_leak_is_told()
    {
        const string Name = nameof(What_it_throws_after_a_leak_is_told);
        using var events = new EventRecorder(Name);
        events.Enable(EventLevel.Error);
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.Name = Name);
        ForgetBroken(allocator, _bitmap);
        Collector.CollectAll();
        Assert.Equal(1, allocator.GetStatistics().LeakedCount);
        Assert.Contains(events.Lines, static line => line.Contains("ApplicationFailed", StringComparison.Ordinal) && line.Contains("the owner's", StringComparison.Ordinal));
        allocator.Rent<uint>(10, 10).Dispose();
    }

    [Fact]
    public void A_charged_image_shares_the_budget_and_waits_for_it()
    {
        using PixelAllocator allocator = PixelAllocator.Create(_system.Options(configure: static options =>
        {
            options.MaxRentedBytes = Bytes;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
            options.TimeProvider = TimeProvider.System;
        }));
        ExternalCharge other = allocator.ChargeExternal(1);
        PixelBuffer<uint>? image = null;
        Simultaneously.Run(2, thread =>
        {
            if (thread == 0)
            {
                image = allocator.Wrap<uint>(_bitmap.Address, 10, 10, 40, _bitmap.Release, charge: true);
                return;
            }

            SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, TimeSpan.FromMinutes(1));
            other.Dispose();
        });
        Assert.Equal((Bytes, 1L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().Waits));
        image!.Dispose();
        Assert.Equal((0L, 1), (allocator.GetStatistics().ChargedBytes, _bitmap.Releases));
    }

    [Fact]
    public void Trackers_find_it()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using LeakTracker check = allocator.TrackLeaks();
        using (Wrap(allocator))
        {
            PixelLeakException error = Assert.Throws<PixelLeakException>(check.AssertNone);
            Assert.Contains(nameof(Wrap), error.Held[0].Place, StringComparison.Ordinal);
        }

        check.AssertNone();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private PixelBuffer<uint> Wrap(PixelAllocator allocator) => allocator.Wrap<uint>(_bitmap.Address, 10, 10, 40, _bitmap.Release);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator, CountingOwner owner, bool charge) => allocator.Wrap<uint>(owner, 10, 10, 40, charge)[0, 0] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetBroken(PixelAllocator allocator, NativeBitmap bitmap) =>
        allocator.Wrap<uint>(bitmap.Address, 10, 10, 40, static _ => throw new NotSupportedException("the owner's"))[0, 0] = 1;
}

using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Tests.Diagnostics.Events;
using PixelPool.Tests.Diagnostics.Leaks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers.NativeCode;

/// <summary>What native code does wrong corrupts nothing and throws nothing. It is counted and told.</summary>
public sealed unsafe class NativeMisuseTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void A_second_release_does_not_touch_what_others_hold()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        NativePixels first = image.Pin().GiveToNative();
        NativePixels second = image.Pin().GiveToNative();
        for (int i = 0; i < 10; i++)
        {
            NativeOwner.ReleaseFirst(first.Context);
        }

        image.Dispose();
        Assert.Equal((Block, 9L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
        second.Release();
        Assert.Equal((0L, 9L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
    }

    [Fact]
    public void A_stale_context_does_not_release_the_next_rent_of_the_same_memory()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        NativePixels stale = Give(allocator);
        stale.Release();
        var contexts = new HashSet<nint> { stale.Context };
        for (int i = 1; i <= 2000; i++)
        {
            NativePixels next = Give(allocator);
            Assert.Equal(stale.Address, next.Address);
            Assert.True(contexts.Add(next.Context));
            NativeOwner.ReleaseSecond(stale.Address, stale.Context);
            Assert.Equal((Block, (long)i), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
            next.Release();
            Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        }
    }

    [Fact]
    public void A_second_release_is_told_to_its_own_allocator()
    {
        using PixelAllocator first = _system.CreateAllocator();
        using PixelAllocator second = _system.CreateAllocator();
        NativePixels ofFirst = Give(first);
        NativePixels ofSecond = Give(second);
        ofFirst.Release();
        ofSecond.Release();
        ofSecond.Release();
        Assert.Equal((0L, 1L), (first.GetStatistics().SecondReturns, second.GetStatistics().SecondReturns));
    }

    [Fact]
    public void What_was_never_issued_does_nothing()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        NativePixels held = Give(allocator);
        foreach (nint garbage in (nint[])[0, 1, -1, 2, nint.MinValue, nint.MaxValue, held.Address, held.Context + 1, held.Context - 1, ~held.Context, 0x0EAD_BEEF])
        {
            Assert.Equal(0, NativeOwner.ReleaseFirst(garbage));
            Assert.Equal(0, NativeOwner.ReleaseSecond(held.Context, garbage));
        }

        default(NativePixels).Release();
        Assert.Equal((Block, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
        held.Release();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Random_numbers_do_nothing()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        int seed = Environment.ProcessId;
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        NativePixels held = Give(allocator);
        for (int i = 0; i < 100_000; i++)
        {
            nint garbage = (nint)random.NextInt64(long.MinValue, long.MaxValue);
            if (garbage != held.Context)
            {
                NativeOwner.ReleaseFirst(garbage);
            }
        }

        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
        held.Release();
    }

    [Fact]
    public void Many_threads_release_once()
    {
        const int Threads = 4;
        using PixelAllocator allocator = _system.CreateAllocator();
        const int Rounds = 200;
        for (int round = 0; round < Rounds; round++)
        {
            NativePixels given = Give(allocator);
            Parallel.For(0, Threads, new ParallelOptions { MaxDegreeOfParallelism = Threads }, _ => NativeOwner.ReleaseFirst(given.Context));
            Assert.Equal((0L, (round + 1L) * (Threads - 1)), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
        }

        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void Threads_that_give_and_release_all_the_time_lose_nothing()
    {
        const int Threads = 4;
        using PixelAllocator allocator = _system.CreateAllocator();
        Simultaneously.Run(Threads, thread =>
        {
            NativePixels last = default;
            for (int i = 0; i < 2000; i++)
            {
                NativePixels given = Give(allocator);
                *(int*)given.Address = thread;
                last.Release();
                Assert.Equal(thread, *(int*)given.Address);
                NativeOwner.ReleaseSecond(0, given.Context);
                last = given;
            }
        });
        Assert.Equal((0L, Threads * 1999L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void A_second_release_after_the_allocator_is_gone_does_nothing()
    {
        (WeakReference gone, nint context) = GiveAndForgetAllocator();
        Collector.CollectAll();
        Assert.False(gone.IsAlive);
        Assert.Equal(0, NativeOwner.ReleaseFirst(context));
    }

    [Fact]
    public void Contexts_tell_whose_they_are()
    {
        const int Issuer = 12_345;
        int issuer = NativeContext.Shorten(Issuer);
        Assert.Equal(IntPtr.Size == 8 ? Issuer : Issuer & 0xFF, issuer);
        nint[] contexts = [.. Enumerable.Range(1, 10_000).Select(count => NativeContext.Make(issuer, count))];
        Assert.Equal(contexts.Length, contexts.Distinct().Count());
        Assert.All(contexts, context => Assert.Equal(issuer, NativeContext.IssuerOf(context)));
    }

    [Fact]
    public void What_the_application_throws_does_not_reach_native_code()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.Name = nameof(What_the_application_throws_does_not_reach_native_code);
            options.ArrayPool = new RefusingArrayPool();
        });
        using EventRecorder recorder =
            new EventRecorder(allocator.Name).Enable(EventLevel.Error, PixelPoolEventSource.Keywords.Failures);
        NativePixels given;
        using (PixelBuffer<byte> small = allocator.Rent<byte>(10, 10))
        {
            given = small.Pin().GiveToNative();
        }

        Assert.Equal(0, NativeOwner.ReleaseFirst(given.Context));
        Assert.Equal("ApplicationFailed", Assert.Single(recorder.Events).Name);
        Assert.Contains(nameof(InvalidTimeZoneException), recorder.Lines[0], StringComparison.Ordinal);
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Event_and_tracker_name_the_line_that_called_native_code()
    {
        using PixelAllocator allocator = Create();
        using EventRecorder recorder = new EventRecorder(allocator.Name).Enable(EventLevel.Error, PixelPoolEventSource.Keywords.Misuse);
        using LeakTracker tracker = allocator.TrackLeaks();
        ReleaseTwice(allocator);
        RecordedEvent told = Assert.Single(recorder.Events);
        Assert.Equal("ReturnedTwice", told.Name);
        Assert.Contains($"{nameof(NativeOwner)}.{nameof(NativeOwner.ReleaseFirst)} in ", told.ToString(), StringComparison.Ordinal);
        var exception = Assert.Throws<PixelLeakException>(tracker.AssertNone);
        Assert.Contains($"{nameof(NativeOwner)}.{nameof(NativeOwner.ReleaseFirst)} in ", Assert.Single(exception.SecondReturns), StringComparison.Ordinal);
        Assert.Contains(nameof(ReleaseTwice), exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_native_thread_has_no_line_to_name()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Threads are started as on Linux.");
        using PixelAllocator allocator = Create();
        using LeakTracker tracker = allocator.TrackLeaks();
        nint context = Give(allocator).Context;
        NativeOwner.ReleaseOnNativeThread(context);
        NativeOwner.ReleaseOnNativeThread(context);
        Assert.Null(Assert.Single(Assert.Throws<PixelLeakException>(tracker.AssertNone).SecondReturns));
    }

    [Fact]
    public void What_is_never_released_is_listed_with_its_lines_and_not_collected()
    {
        using PixelAllocator allocator = Create();
        using LeakTracker tracker = allocator.TrackLeaks();
        NativePixels given = Give(allocator);
        Collector.CollectAll();
        *(byte*)given.Address = 1;
        RentRecord rent = Assert.Single(allocator.GetOutstandingRents());
        Assert.Equal((Block, RentHolder.View), (rent.Bytes, rent.Holder));
        Assert.Contains($".{nameof(Give)} in ", rent.Place, StringComparison.Ordinal);
        Assert.Contains($".{nameof(Give)} in ", rent.HolderPlace, StringComparison.Ordinal);
        Assert.Single(Assert.Throws<PixelLeakException>(tracker.AssertNone).Held);
        Assert.Equal(0, allocator.GetStatistics().LeakedCount);
        given.Release();
        Assert.Empty(allocator.GetOutstandingRents());
        tracker.AssertNone();
    }

    [Fact]
    public void An_image_that_is_forgotten_after_its_pin_was_given_leaks_when_native_code_is_done()
    {
        using PixelAllocator allocator = Create();
        NativePixels given = GiveAndForgetImage(allocator);
        Collector.CollectAll();
        Assert.Equal((0L, Block), (allocator.GetStatistics().LeakedCount, allocator.GetStatistics().RentedBytes));
        *(byte*)given.Address = 1;
        given.Release();
        Collector.CollectAll();
        Assert.Equal((1L, 0L), (allocator.GetStatistics().LeakedCount, allocator.GetStatistics().RentedBytes));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static NativePixels Give(PixelAllocator allocator)
    {
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        return image.Pin().GiveToNative();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static NativePixels GiveAndForgetImage(PixelAllocator allocator) => allocator.Rent<byte>(Block, 1).Pin().GiveToNative();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private (WeakReference Allocator, nint Context) GiveAndForgetAllocator()
    {
        PixelAllocator allocator = _system.CreateAllocator();
        NativePixels given = Give(allocator);
        given.Release();
        allocator.Dispose();
        return (new WeakReference(allocator), given.Context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReleaseTwice(PixelAllocator allocator)
    {
        nint context = Give(allocator).Context;
        NativeOwner.ReleaseFirst(context);
        NativeOwner.ReleaseFirst(context);
    }

    private PixelAllocator Create([CallerMemberName] string name = "") => _system.CreateAllocator(configure: options =>
    {
        options.Name = name;
        options.LeakTracking = LeakTracking.Full;
    });
}

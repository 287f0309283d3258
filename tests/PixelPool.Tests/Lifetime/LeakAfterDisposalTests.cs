using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>An allocator that is disposed, or dropped, while images are out: they stay valid, and everything goes back to the system in the end.</summary>
[Trait("Category", "Long")]
public class LeakAfterDisposalTests
{
    public static TheoryData<string> Runtimes => LeakTests.Runtimes;

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Leak_of_a_disposed_allocator_goes_to_the_system(string runtime) => Run(LeakThenDisposeAllocator, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Leak_before_the_allocator_is_disposed_goes_to_the_system(string runtime) => Run(DisposeAllocatorOverUncollectedLeak, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Leak_together_with_its_allocator_goes_to_the_system(string runtime) => Run(DropEverything, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Dropped_allocator_frees_what_is_idle(string runtime) => Run(DropAllocatorWithIdleMemory, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Dropped_allocator_leaves_rented_images_valid(string runtime) => Run(DropAllocatorUnderImages, runtime);

    [Fact]
    public void Dropped_pool_frees_its_idle_blocks() => ChildProcess.Run(DropPool);

    private static void Run(Action body, string runtime) =>
        ChildProcess.Run(body, runtime.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static void LeakThenDisposeAllocator() => Rental.ForEachKind(static kind =>
    {
        using var rental = new Rental(kind);
        RentAndDisposeAllocator(rental);
        Collector.CollectAll();
        Assert.Equal(2, rental.Statistics.LeakedCount);
        AssertEverythingFreed(rental.Source, rental.Arrays);
        StatisticsAssert.Balanced(rental.Statistics);
        Assert.Equal(0, rental.Statistics.RentedBytes);
        Assert.Throws<ObjectDisposedException>(() => rental.Rent());
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentAndDisposeAllocator(Rental rental)
    {
        PixelBuffer<uint> first = rental.Rent();
        PixelBuffer<uint> second = rental.Rent();
        rental.Rent().Dispose();
        rental.Allocator.Dispose();
        first.Fill(1);
        second.Fill(2);
        Assert.Equal(1u, first[first.Width - 1, first.Height - 1]);
        Assert.NotEqual(0, rental.Statistics.RentedBytes);
    }

    private static void DisposeAllocatorOverUncollectedLeak() => Rental.ForEachKind(static kind =>
    {
        using var rental = new Rental(kind);
        RentAndForget(rental);
        rental.Allocator.Dispose();
        Collector.CollectAll();
        Assert.Equal(1, rental.Statistics.LeakedCount);
        AssertEverythingFreed(rental.Source, rental.Arrays);
    });

    // Pool, guards and images are finalized in one go, in whatever order the runtime likes.
    private static void DropEverything()
    {
        for (int i = 0; i < 10; i++)
        {
            Rental.ForEachKind(static kind =>
            {
                (FakeBlockSource source, RecyclingArrayPool arrays, WeakReference allocator) = LeakWithAllocator(kind);
                Collector.CollectAll();
                Assert.False(allocator.IsAlive, "something keeps a dropped allocator alive");
                AssertEverythingFreed(source, arrays);
            });
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (FakeBlockSource Source, RecyclingArrayPool Arrays, WeakReference Allocator) LeakWithAllocator(RentKind kind)
    {
        var rental = new Rental(kind);
        PixelBuffer<uint> first = rental.Rent();
        PixelBuffer<uint> second = rental.Rent();
        Touch(first);
        Touch(second);
        rental.Rent().Dispose();
        return (rental.Source, rental.Arrays, new WeakReference(rental.Allocator));
    }

    private static void DropAllocatorWithIdleMemory() => Rental.ForEachKind(static kind =>
    {
        (FakeBlockSource source, RecyclingArrayPool arrays) = MakeIdleAndDrop(kind);
        Collector.CollectAll();
        AssertEverythingFreed(source, arrays);
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (FakeBlockSource Source, RecyclingArrayPool Arrays) MakeIdleAndDrop(RentKind kind)
    {
        var rental = new Rental(kind);
        using (rental.Rent())
        using (rental.Rent())
        {
        }

        Assert.Equal(rental.Source.LiveBytes, rental.Statistics.IdleBytes);
        return (rental.Source, rental.Arrays);
    }

    private static void DropAllocatorUnderImages() => Rental.ForEachKind(static kind =>
    {
        (FakeBlockSource source, RecyclingArrayPool arrays) = UseImagesOfDroppedAllocator(kind);
        Collector.CollectAll();
        AssertEverythingFreed(source, arrays);
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (FakeBlockSource Source, RecyclingArrayPool Arrays) UseImagesOfDroppedAllocator(RentKind kind)
    {
        (FakeBlockSource source, RecyclingArrayPool arrays, PixelBuffer<uint> image, PixelBuffer<uint> other) = RentFromDropped(kind);
        Collector.CollectAll();
        image.Fill(1);
        other.Fill(2);
        Collector.CollectAll();
        Assert.Equal(1u, image[0, 0]);
        Assert.Equal(1u, image[image.Width - 1, image.Height - 1]);
        using PixelBuffer<uint> view = image.View(0, 0, 2, 2);
        image.Dispose();
        Collector.CollectAll();
        Assert.Equal(1u, view[1, 1]);
        Assert.Equal(2u, other[1, 1]);
        other.Dispose();
        return (source, arrays);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (FakeBlockSource Source, RecyclingArrayPool Arrays, PixelBuffer<uint> Image, PixelBuffer<uint> Other) RentFromDropped(RentKind kind)
    {
        var rental = new Rental(kind);
        rental.Rent().Dispose();
        return (rental.Source, rental.Arrays, rental.Rent(), rental.Rent());
    }

    private static void DropPool()
    {
        FakeBlockSource source = RentReturnAndDropPool();
        Collector.CollectAll();
        Assert.Equal(0, source.LiveBytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static FakeBlockSource RentReturnAndDropPool()
    {
        var source = new FakeBlockSource();
        var pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions
        {
            BlockBytes = 64 << 10,
            SmallBufferThresholdBytes = 0,
            MaxPooledBytes = 1 << 20,
            BlockSource = source,
        });
        Span<nint> blocks = stackalloc nint[16];
        Assert.True(pool.TryRent(blocks));
        pool.Return(blocks);
        Assert.Equal(1 << 20, source.LiveBytes);
        return source;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentAndForget(Rental rental) => Touch(rental.Rent());

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Touch(PixelBuffer<uint> buffer) => buffer[buffer.Width - 1, buffer.Height - 1] = 1;

    private static void AssertEverythingFreed(FakeBlockSource source, RecyclingArrayPool arrays)
    {
        source.AssertAllFreed();
        Assert.Equal(0, arrays.RentedCount);
    }
}

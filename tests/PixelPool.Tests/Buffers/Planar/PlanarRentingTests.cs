using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers.Planar;

/// <summary>Planar images obey budgets, scopes, reports and limits as all others.</summary>
public sealed class PlanarRentingTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // 112.5 KiB of planes: two blocks.
    private static readonly PlanarLayout s_twoBlocks = PlanarLayout.Yuv420(256, 300);

    private readonly TestSystem _system = TestSystem.Alone();

    public void Dispose() => _system.Dispose();

    [Fact]
    public async Task Budget_refuses_and_makes_wait()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        PlanarImage image = allocator.RentPlanar(s_twoBlocks);
        Assert.Equal(2 * Block, allocator.GetStatistics().ChargedBytes);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.RentPlanar(s_twoBlocks));
        Assert.False(allocator.TryRentPlanar(s_twoBlocks, out PlanarImage? none));
        Assert.Null(none);
        Task<PlanarImage> waiting = allocator.RentPlanarAsync(s_twoBlocks, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.False(waiting.IsCompleted);
        image.Dispose();
        using (PlanarImage granted = await waiting)
        {
            granted.Planes[2][0, 0] = 1;
        }

        Assert.True(allocator.TryRentPlanar(s_twoBlocks, out PlanarImage? some));
        some.Dispose();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public async Task A_wait_that_is_cancelled_holds_nothing()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        using var cancellation = new CancellationTokenSource();
        using (allocator.RentPlanar(s_twoBlocks))
        {
            Task<PlanarImage> waiting = allocator.RentPlanarAsync(s_twoBlocks, cancellationToken: cancellation.Token).AsTask();
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        }

        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public async Task Scope_returns_its_images()
    {
        using PixelAllocator allocator = Create(budget: 8 * Block);
        PlanarImage[] images;
        using (RentScope scope = allocator.CreateScope(6 * Block))
        {
            PlanarImage first = scope.RentPlanar(s_twoBlocks);
            Assert.True(scope.TryRentPlanar(s_twoBlocks, out PlanarImage? second));
            PlanarImage third = await scope.RentPlanarAsync(s_twoBlocks, cancellationToken: TestContext.Current.CancellationToken);
            images = [first, second, third];
            Assert.False(scope.TryRentPlanar(s_twoBlocks, out _));
            Assert.Equal(6 * Block, scope.ChargedBytes);
            third.Dispose();
            Assert.Equal(4 * Block, scope.ChargedBytes);
        }

        Assert.All(images, static image => Assert.True(image.IsDisposed && image.Planes.All(static plane => plane.IsDisposed)));
        Assert.Equal((0L, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().RentedBytes));
    }

    [Fact]
    public async Task Scope_that_ended_rents_nothing()
    {
        using PixelAllocator allocator = Create();
        var scope = new RentScope(allocator);
        scope.Dispose();
        Assert.Throws<ObjectDisposedException>(() => scope.RentPlanar(s_twoBlocks));
        Assert.Throws<ObjectDisposedException>(() => scope.TryRentPlanar(s_twoBlocks, out _));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await scope.RentPlanarAsync(s_twoBlocks));
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Scope_that_ends_while_images_are_rented_keeps_none()
    {
        using PixelAllocator allocator = Create();
        for (int round = 0; round < 100; round++)
        {
            var scope = new RentScope(allocator);
            Parallel.Invoke(scope.Dispose, () =>
            {
                try
                {
                    for (int i = 0; i < 5; i++)
                    {
                        scope.RentPlanar(s_twoBlocks);
                    }
                }
                catch (ObjectDisposedException)
                {
                    // It was later.
                }
            });
            Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        }
    }

    [Fact]
    public void Image_outlives_its_allocator()
    {
        PixelAllocator allocator = Create();
        PlanarImage image = allocator.RentPlanar(s_twoBlocks);
        allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => allocator.RentPlanar(s_twoBlocks));
        image.Planes[2][0, 0] = 1;
        image.Dispose();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, statistics.AllocatedBytes), (statistics.RentedBytes, statistics.ReleasedBytes));
    }

    [Fact]
    public void Failure_of_the_system_takes_nothing()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        for (int live = 0; live < 2; live++)
        {
            using PixelBuffer<byte>? held = live == 0 ? null : allocator.Rent<byte>(Block, 1);
            PixelPoolStatistics before = allocator.GetStatistics();
            _system.Source.MaxLivePieces = _system.Source.LivePieces;
            Assert.Throws<OutOfMemoryException>(() => allocator.RentPlanar(s_twoBlocks));
            Assert.Equal(before.RentedBytes, allocator.GetStatistics().RentedBytes);
            Assert.Equal(before.ChargedBytes, allocator.GetStatistics().ChargedBytes);
            _system.Source.Heal();
            allocator.RentPlanar(s_twoBlocks).Dispose();
            allocator.Trim();
        }
    }

    [Fact]
    public async Task Nothing_is_not_a_layout()
    {
        using PixelAllocator allocator = Create();
        using var scope = new RentScope(allocator);
        Assert.Throws<ArgumentNullException>(() => allocator.RentPlanar(null!));
        Assert.Throws<ArgumentNullException>(() => allocator.TryRentPlanar(null!, out _));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await allocator.RentPlanarAsync(null!));
        Assert.Throws<ArgumentNullException>(() => scope.RentPlanar(null!));
        Assert.Throws<ArgumentNullException>(() => ((PixelAllocator)null!).RentPlanar(s_twoBlocks));
        Assert.Throws<ArgumentNullException>(() => ((RentScope)null!).RentPlanar(s_twoBlocks));
        Assert.Throws<ArgumentOutOfRangeException>(() => allocator.RentPlanar(s_twoBlocks, (AllocationOptions)64));
        Assert.Equal(0, allocator.GetStatistics().Rents);
    }

    [Fact]
    public void Sizes_that_no_system_has_are_refused()
    {
        Assert.SkipWhen(IntPtr.Size == 4, "Such a layout is refused before.");
        using PixelAllocator allocator = Create(budget: 2 * Block);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.RentPlanar(PlanarLayout.Yuv444(1 << 22, 1 << 21)));
        Assert.Throws<PixelBudgetExceededException>(() => allocator.RentPlanar(PlanarLayout.Yuv444(1 << 20, 1 << 20)));
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void Forgotten_images_are_leaks_with_a_line()
    {
        using PixelAllocator allocator = Create();
        using LeakTracker tracker = allocator.TrackLeaks();
        Forget(allocator);
        Collector.CollectAll();
        Assert.Equal((1L, 0L), (allocator.GetStatistics().LeakedCount, allocator.GetStatistics().RentedBytes));
        RentRecord leaked = Assert.Single(Assert.Throws<PixelLeakException>(tracker.AssertNone).Leaked);
        Assert.Contains($"{nameof(PlanarRentingTests)}.{nameof(Forget)} in ", leaked.Place, StringComparison.Ordinal);
        Assert.Equal(RentHolder.Owner, leaked.Holder);
    }

    [Fact]
    public async Task Rents_that_waited_name_who_asked()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        using LeakTracker tracker = allocator.TrackLeaks();
        PlanarImage first = allocator.RentPlanar(s_twoBlocks);
        Task<PlanarImage> waiting = AskAsync(allocator);
        first.Dispose();
        using PlanarImage held = await waiting;
        Assert.Contains($"{nameof(PlanarRentingTests)}.{nameof(AskAsync)} in ", Assert.Single(allocator.GetOutstandingRents()).Place, StringComparison.Ordinal);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator) => allocator.RentPlanar(s_twoBlocks).Planes[0].Fill(1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task<PlanarImage> AskAsync(PixelAllocator allocator) => allocator.RentPlanarAsync(s_twoBlocks).AsTask();

    private PixelAllocator Create(long? budget = null) => _system.CreateAllocator(configure: options => options.MaxRentedBytes = budget);
}

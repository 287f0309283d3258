using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers.Planar;

/// <summary>Planes without an object on the managed heap.</summary>
public sealed class PlanarLeaseTests : IDisposable
{
    private static readonly PlanarLayout s_twoBlocks = PlanarLayout.Yuv420(256, 300);

    private readonly TestSystem _system = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string> Formats => [.. PlanarFormats.Names];

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(Formats))]
    public void Planes_lie_as_those_of_an_image(string format)
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        PlanarLayout layout = PlanarFormats.Layout(format, 101, 57, 16);
        PlanarLease lease = allocator.LeasePlanar(layout);
        Assert.Equal((101, 57, layout, false), (lease.Width, lease.Height, lease.Layout, lease.IsDisposed));
        for (int i = 0; i < layout.Planes.Count; i++)
        {
            PixelLease<byte> plane = lease.GetPlane(i);
            Assert.Equal((layout.Planes[i].Width, layout.Planes[i].Height, layout.Planes[i].Stride), (plane.Width, plane.Height, plane.Stride));
            Assert.Equal(lease.DangerousGetAddress() + (nint)layout.Planes[i].Offset, plane.DangerousGetAddress());
            plane.Fill((byte)(i + 1));
            plane.Dispose();
        }

        for (int i = 0; i < layout.Planes.Count; i++)
        {
            Assert.Equal(i + 1, lease.GetPlane(i)[layout.Planes[i].Width - 1, layout.Planes[i].Height - 1]);
        }

        Assert.Throws<ArgumentOutOfRangeException>("index", () => lease.GetPlane(-1));
        Assert.Throws<ArgumentOutOfRangeException>("index", () => lease.GetPlane(layout.Planes.Count));
        PixelLease<byte> kept = lease.GetPlane(0);
        lease.Dispose();
        Assert.True(lease.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => kept.Fill(1));
        Assert.Throws<ObjectDisposedException>(() => lease.GetPlane(0));
        Assert.Throws<ObjectDisposedException>(() => lease.DangerousGetAddress());
#pragma warning disable PXP003 // The mistake is what is tested.
        lease.Dispose();
#pragma warning restore PXP003
        Assert.Equal((0, 1), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
    }

    [Fact]
    public void The_default_value_holds_nothing()
    {
        PlanarLease none = default;
        none.Dispose();
        Assert.Equal((0, 0, true, "never rented"), (none.Width, none.Height, none.IsDisposed, none.ToString()));
        Assert.Throws<ObjectDisposedException>(() => none.Layout);
        Assert.Throws<ObjectDisposedException>(() => none.GetPlane(0));
        Assert.Throws<ObjectDisposedException>(() => none.DangerousGetAddress());
    }

    [Fact]
    public void Nothing_is_allocated()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        long before = 0;
        for (int i = 0; i < 100; i++)
        {
            before = GC.GetAllocatedBytesForCurrentThread();
            using PlanarLease lease = allocator.LeasePlanar(s_twoBlocks);
            lease.GetPlane(1).ProcessPixelRows(1, static (rows, value) => rows.GetRowSpan(0).Fill((byte)value));
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public async Task Budgets_refuse_and_make_wait()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * TestSystem.BlockBytes);
        PlanarLease lease = allocator.LeasePlanar(s_twoBlocks);
        Assert.False(allocator.TryLeasePlanar(s_twoBlocks, out PlanarLease none));
        Assert.True(none.IsDisposed);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.LeasePlanar(s_twoBlocks));
        Task<PlanarLease> waiting = allocator.LeasePlanarAsync(s_twoBlocks, cancellationToken: Token).AsTask();
        lease.Dispose();
        (await waiting).Dispose();
        Assert.True(allocator.TryLeasePlanar(s_twoBlocks, out PlanarLease some));
        some.Dispose();
        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().LeakedCount));
        Assert.Throws<ArgumentNullException>("layout", () => allocator.LeasePlanar(null!));
        Assert.Throws<ArgumentNullException>("allocator", () => ((PixelAllocator)null!).LeasePlanar(s_twoBlocks));
    }

    [Fact]
    public async Task A_scope_returns_them()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        PlanarLease first;
        using (RentScope scope = allocator.CreateScope(4 * TestSystem.BlockBytes))
        {
            first = scope.LeasePlanar(s_twoBlocks);
            PlanarLease second = await scope.LeasePlanarAsync(s_twoBlocks, cancellationToken: Token);
            Assert.False(scope.TryLeasePlanar(s_twoBlocks, out _));
            second.Dispose();
            Assert.True(scope.TryLeasePlanar(s_twoBlocks, out _));
        }

        Assert.True(first.IsDisposed);
        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
    }
}

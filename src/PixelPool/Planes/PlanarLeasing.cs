using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>Rents images of several planes as structs. Each image is one contiguous rent, as those of <see cref="PlanarRenting"/> are. Nothing is allocated on the managed heap.</summary>
public static class PlanarLeasing
{
    /// <summary>Rents an image of several planes, with the errors of <see cref="PixelAllocator.Lease{TPixel}"/>.</summary>
    /// <param name="allocator">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> or <paramref name="layout"/> is null.</exception>
    public static PlanarLease LeasePlanar(this PixelAllocator allocator, PlanarLayout layout, AllocationOptions options = AllocationOptions.None)
    {
        Throw.IfNull(allocator, nameof(allocator));
        (int width, int height) = PlanarImage.RentSize(layout);
        return new PlanarLease(allocator.Lease<byte>(width, height, options | AllocationOptions.Contiguous), layout);
    }

    /// <summary>Rents an image of several planes, if the budget has room for it: see <see cref="PixelAllocator.TryLease{TPixel}"/>.</summary>
    /// <param name="allocator">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="lease">The image. The caller disposes it. The default value when there is none.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>False when the budget has no room.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> or <paramref name="layout"/> is null.</exception>
    public static bool TryLeasePlanar(this PixelAllocator allocator, PlanarLayout layout, out PlanarLease lease, AllocationOptions options = AllocationOptions.None)
    {
        Throw.IfNull(allocator, nameof(allocator));
        (int width, int height) = PlanarImage.RentSize(layout);
        bool rented = allocator.TryLease(width, height, out PixelLease<byte> memory, options | AllocationOptions.Contiguous);
        lease = rented ? new PlanarLease(memory, layout) : default;
        return rented;
    }

    /// <summary>Rents an image of several planes, as soon as the budget has room for it: see <see cref="PixelAllocator.LeaseAsync{TPixel}"/>.</summary>
    /// <param name="allocator">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> or <paramref name="layout"/> is null.</exception>
    public static ValueTask<PlanarLease> LeasePlanarAsync(
        this PixelAllocator allocator, PlanarLayout layout, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
    {
        Throw.IfNull(allocator, nameof(allocator));
        return PlanarImage.TakeAsync(allocator, scope: null, layout, options, Make, cancellationToken);
    }

    /// <summary>Rents an image of several planes that is returned with the scope, with the errors of <see cref="RentScope.Lease{TPixel}"/>.</summary>
    /// <param name="scope">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>The image. It is returned with the scope.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="scope"/> or <paramref name="layout"/> is null.</exception>
    public static PlanarLease LeasePlanar(this RentScope scope, PlanarLayout layout, AllocationOptions options = AllocationOptions.None)
    {
        Throw.IfNull(scope, nameof(scope));
        (int width, int height) = PlanarImage.RentSize(layout);
        return new PlanarLease(scope.Lease<byte>(width, height, options | AllocationOptions.Contiguous), layout);
    }

    /// <summary>Rents an image of several planes that is returned with the scope, if the budget has room for it: see <see cref="RentScope.TryLease{TPixel}"/>.</summary>
    /// <param name="scope">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="lease">The image. It is returned with the scope. The default value when there is none.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>False when the budget has no room.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="scope"/> or <paramref name="layout"/> is null.</exception>
    public static bool TryLeasePlanar(this RentScope scope, PlanarLayout layout, out PlanarLease lease, AllocationOptions options = AllocationOptions.None)
    {
        Throw.IfNull(scope, nameof(scope));
        (int width, int height) = PlanarImage.RentSize(layout);
        bool rented = scope.TryLease(width, height, out PixelLease<byte> memory, options | AllocationOptions.Contiguous);
        lease = rented ? new PlanarLease(memory, layout) : default;
        return rented;
    }

    /// <summary>Rents an image of several planes that is returned with the scope, as soon as the budget has room for it: see <see cref="RentScope.LeaseAsync{TPixel}"/>.</summary>
    /// <param name="scope">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The image. It is returned with the scope.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="scope"/> or <paramref name="layout"/> is null.</exception>
    public static ValueTask<PlanarLease> LeasePlanarAsync(
        this RentScope scope, PlanarLayout layout, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
    {
        Throw.IfNull(scope, nameof(scope));
        return PlanarImage.TakeAsync(scope.Live, scope, layout, options, Make, cancellationToken);
    }

    private static PlanarLease Make((RentScope? Scope, PlanarLayout Layout) asked, LifetimeGuard guard, PixelLayout rows) =>
        new(RentScope.Own(asked.Scope, new PixelLease<byte>(guard, guard.Version, in rows)), asked.Layout);
}

using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

// Images as structs. The scope returns those that nobody disposed before.
public sealed partial class RentScope
{
    /// <summary>
    /// Rents an image as a struct that is returned with the scope, with the parameters and errors of <see cref="PixelAllocator.Lease{TPixel}"/>. It may be
    /// disposed before the scope. Disposing it after the scope is a second return: it does nothing to the memory, and is counted.
    /// </summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public PixelLease<TPixel> Lease<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        Own(this, Live.LeaseFor<TPixel>(Payer, width, height, options));

    /// <summary>Rents an image as a struct that is returned with the scope, if the budgets have room for it: see <see cref="PixelAllocator.TryLease{TPixel}"/>.</summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="lease">The image. The default value when there is none.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>False when the scope's or the allocator's budget has no room.</returns>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public bool TryLease<TPixel>(int width, int height, out PixelLease<TPixel> lease, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        Live.TryLeaseFor(this, width, height, out lease, options);

    /// <summary>
    /// Rents an image as a struct that is returned with the scope, as soon as the budgets have room for it: see
    /// <see cref="PixelAllocator.LeaseAsync{TPixel}"/>. A reserved scope never waits: it throws if its reservation has no room.
    /// </summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed, before or while the request waited.</exception>
    public ValueTask<PixelLease<TPixel>> LeaseAsync<TPixel>(
        int width, int height, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where TPixel : unmanaged =>
        Live.TakeAsync(Payer, width, height, Unsafe.SizeOf<TPixel>(), options, this, LeaseOf<TPixel>, cancellationToken);

    internal static PixelLease<TPixel> LeaseOf<TPixel>(RentScope? scope, LifetimeGuard guard, PixelLayout layout)
        where TPixel : unmanaged =>
        Own(scope, new PixelLease<TPixel>(guard, guard.Version, in layout));

    /// <summary>What a scope leased is owned by it; what no scope leased is nobody's.</summary>
    internal static PixelLease<TPixel> Own<TPixel>(RentScope? scope, PixelLease<TPixel> lease)
        where TPixel : unmanaged
    {
        scope?.Add(ref scope._leases, lease.ToScopeLease(scope.Payer));
        return lease;
    }
}

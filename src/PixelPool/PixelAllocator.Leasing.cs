using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

// Images as structs.
public sealed partial class PixelAllocator
{
    /// <summary>
    /// Rents an image as a struct. Nothing is allocated on the managed heap. Dispose it once: a second call returns nothing, and is counted
    /// (<see cref="PixelPoolStatistics.SecondReturns"/>).
    /// </summary>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>The image. The caller disposes it. The errors are those of <see cref="Rent{TPixel}"/>.</returns>
    public PixelLease<TPixel> Lease<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        LeaseFor<TPixel>(null, width, height, options);

    /// <summary>Rents an image as a struct, if the budget has room for it: see <see cref="Lease{TPixel}"/>.</summary>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="lease">The image. The caller disposes it. The default value when there is none.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>False when the budget has no room, as with <see cref="TryRent{TPixel}"/>.</returns>
    public bool TryLease<TPixel>(int width, int height, out PixelLease<TPixel> lease, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        TryLeaseFor(null, width, height, out lease, options);

    /// <summary>
    /// Rents an image as a struct, as soon as the budget has room for it: see <see cref="RentAsync{TPixel}"/>. While the budget has room, nothing is allocated
    /// on the managed heap.
    /// </summary>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait. A request that was granted already is not cancelled.</param>
    /// <returns>The image. The caller disposes it. The errors are those of <see cref="RentAsync{TPixel}"/>.</returns>
    public ValueTask<PixelLease<TPixel>> LeaseAsync<TPixel>(
        int width, int height, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where TPixel : unmanaged =>
        TakeAsync(null, width, height, Unsafe.SizeOf<TPixel>(), options, (RentScope?)null, RentScope.LeaseOf<TPixel>, cancellationToken);

    internal unsafe PixelLease<TPixel> LeaseFor<TPixel>(RentPayer? payer, int width, int height, AllocationOptions options)
        where TPixel : unmanaged
    {
        LifetimeGuard guard = Requests.TakeImage(payer, width, height, sizeof(TPixel), options, out PixelLayout layout);
        return new PixelLease<TPixel>(guard, guard.Version, in layout);
    }

    internal unsafe bool TryLeaseFor<TPixel>(RentScope? scope, int width, int height, out PixelLease<TPixel> lease, AllocationOptions options)
        where TPixel : unmanaged
    {
        LifetimeGuard? guard = TryTake(scope?.Payer, width, height, sizeof(TPixel), options, out PixelLayout layout);
        lease = guard is null ? default : RentScope.Own(scope, new PixelLease<TPixel>(guard, guard.Version, in layout));
        return guard is not null;
    }
}

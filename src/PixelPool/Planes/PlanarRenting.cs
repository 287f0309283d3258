using System.Diagnostics.CodeAnalysis;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>Rents images of several planes. Each image is one contiguous rent, from the same memory and budgets as all others.</summary>
/// <remarks>
/// The memory starts on a multiple of the allocator's <see cref="PixelAllocatorOptions.RowAlignmentBytes"/>. If that is at least the layout's
/// <see cref="PlanarLayout.RowAlignmentBytes"/>, the addresses of all rows of all planes are aligned. Otherwise only the distances between rows are.
/// </remarks>
public static class PlanarRenting
{
    /// <summary>Rents an image of several planes, with the errors of <see cref="PixelAllocator.Rent{TPixel}"/>.</summary>
    /// <param name="allocator">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> or <paramref name="layout"/> is null.</exception>
    public static PlanarImage RentPlanar(this PixelAllocator allocator, PlanarLayout layout, AllocationOptions options = AllocationOptions.None)
    {
        Throw.IfNull(allocator, nameof(allocator));
        (int width, int height) = PlanarImage.RentSize(layout);
        return PlanarImage.Of(allocator.Rent<byte>(width, height, options | AllocationOptions.Contiguous), layout);
    }

    /// <summary>Rents an image of several planes, if the budget has room for it: see <see cref="PixelAllocator.TryRent{TPixel}"/>.</summary>
    /// <param name="allocator">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="image">The image. The caller disposes it.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>False when the budget has no room.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> or <paramref name="layout"/> is null.</exception>
    public static bool TryRentPlanar(
        this PixelAllocator allocator, PlanarLayout layout, [NotNullWhen(true)] out PlanarImage? image, AllocationOptions options = AllocationOptions.None)
    {
        Throw.IfNull(allocator, nameof(allocator));
        (int width, int height) = PlanarImage.RentSize(layout);
        image = allocator.TryRent(width, height, out PixelBuffer<byte>? memory, options | AllocationOptions.Contiguous) ? PlanarImage.Of(memory, layout) : null;
        return image is not null;
    }

    /// <summary>
    /// Rents an image of several planes, as soon as the budget has room for it: see <see cref="PixelAllocator.RentAsync{TPixel}"/>.
    /// </summary>
    /// <param name="allocator">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> or <paramref name="layout"/> is null.</exception>
    public static ValueTask<PlanarImage> RentPlanarAsync(
        this PixelAllocator allocator, PlanarLayout layout, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
    {
        Throw.IfNull(allocator, nameof(allocator));
        return PlanarImage.TakeAsync(allocator, scope: null, layout, options, Make, cancellationToken);
    }

    /// <summary>Bytes that an image of several planes would hold and charge at most, as <see cref="PixelAllocator.GetHeldBytes{TPixel}"/> tells it for others.</summary>
    /// <param name="allocator">Where it would be rented.</param>
    /// <param name="layout">How the planes would lie in the memory.</param>
    /// <returns>Bytes.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> or <paramref name="layout"/> is null.</exception>
    public static long GetHeldBytes(this PixelAllocator allocator, PlanarLayout layout)
    {
        Throw.IfNull(allocator, nameof(allocator));
        (int width, int height) = PlanarImage.RentSize(layout);
        return allocator.GetHeldBytes<byte>(width, height, AllocationOptions.Contiguous);
    }

    /// <summary>Rents an image of several planes that is returned with the scope, with the errors of <see cref="RentScope.Rent{TPixel}"/>.</summary>
    /// <param name="scope">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>The image.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="scope"/> or <paramref name="layout"/> is null.</exception>
    public static PlanarImage RentPlanar(this RentScope scope, PlanarLayout layout, AllocationOptions options = AllocationOptions.None)
    {
        Throw.IfNull(scope, nameof(scope));
        (int width, int height) = PlanarImage.RentSize(layout);
        return RentScope.Own(scope, PlanarImage.Of(scope.Rent<byte>(width, height, options | AllocationOptions.Contiguous), layout));
    }

    /// <summary>
    /// Rents an image of several planes that is returned with the scope, if the budgets have room for it: see <see cref="RentScope.TryRent{TPixel}"/>.
    /// </summary>
    /// <param name="scope">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="image">The image.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <returns>False when the scope's or the allocator's budget has no room.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="scope"/> or <paramref name="layout"/> is null.</exception>
    public static bool TryRentPlanar(
        this RentScope scope, PlanarLayout layout, [NotNullWhen(true)] out PlanarImage? image, AllocationOptions options = AllocationOptions.None)
    {
        Throw.IfNull(scope, nameof(scope));
        (int width, int height) = PlanarImage.RentSize(layout);
        image = scope.TryRent(width, height, out PixelBuffer<byte>? memory, options | AllocationOptions.Contiguous) ? RentScope.Own(scope, PlanarImage.Of(memory, layout)) : null;
        return image is not null;
    }

    /// <summary>
    /// Rents an image of several planes that is returned with the scope, as soon as the budgets have room for it: see <see cref="RentScope.RentAsync{TPixel}"/>.
    /// </summary>
    /// <param name="scope">Where it is rented.</param>
    /// <param name="layout">How the planes lie in the memory.</param>
    /// <param name="options">Requirements on the memory, which is always contiguous. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The image.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="scope"/> or <paramref name="layout"/> is null.</exception>
    public static ValueTask<PlanarImage> RentPlanarAsync(
        this RentScope scope, PlanarLayout layout, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
    {
        Throw.IfNull(scope, nameof(scope));
        return PlanarImage.TakeAsync(scope.Live, scope, layout, options, Make, cancellationToken);
    }

    private static PlanarImage Make((RentScope? Scope, PlanarLayout Layout) asked, LifetimeGuard guard, PixelLayout rows) =>
        RentScope.Own(asked.Scope, PlanarImage.Of(new PixelBuffer<byte>(guard, guard.Version, in rows), asked.Layout));
}

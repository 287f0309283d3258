using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>The pixels of an image, or of a band of it, while a reference on their memory is held.</summary>
/// <remarks>
/// Whoever makes one has added the reference; <see cref="Dispose"/> releases it. So a call begins with <c>using PixelReference pixels = Hold();</c> and cannot
/// forget the end.
/// </remarks>
/// <param name="guard">The rent.</param>
/// <param name="version">The rent's version.</param>
/// <param name="layout">How the rows lie. It is copied: a delegate may assign the variable that it comes from.</param>
/// <param name="firstRow">The row of the image that is the first one.</param>
[method: MethodImpl(MethodImplOptions.AggressiveInlining)]
internal struct PixelReference(LifetimeGuard guard, uint version, in PixelLayout layout, int firstRow = 0) : IDisposable
{
    private readonly PixelLayout _layout = layout;

    /// <summary>The rent.</summary>
    public LifetimeGuard Guard { get; private set; } = guard;

    /// <summary>The rent's version.</summary>
    public readonly uint Version = version;

    /// <summary>How the rows lie.</summary>
    [UnscopedRef]
    public readonly ref readonly PixelLayout Layout => ref _layout;

    /// <summary>Adds another reference, for somebody else.</summary>
    /// <returns>False when the rent has ended, or this reference was released.</returns>
    public readonly bool TryAcquire() => Guard?.TryAcquire(Version) == true;

    /// <summary>A band of whole rows. No reference is added for it: <see cref="TryAcquire"/> before it is used or disposed.</summary>
    public readonly PixelReference Band(int start, int height) =>
        new(Guard, Version, _layout.Cut(columnBytes: 0, start, _layout.Width, height), start);

    /// <summary>The pixels, for a delegate. The reference lies where it outlives the accessor.</summary>
    [UnscopedRef]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly PixelAccessor<TPixel> Access<TPixel>()
        where TPixel : unmanaged =>
        new(Guard, in _layout, firstRow);

    /// <summary>Releases the reference. To be called once.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Dispose()
    {
        // It may lie in the frame of the application's method, which would keep the guard, and what it holds later, from being found forgotten.
        LifetimeGuard guard = Guard;
        Guard = null!;
        guard.TryRelease(Version);
    }
}

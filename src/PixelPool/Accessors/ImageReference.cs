using System.Diagnostics.CodeAnalysis;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>The pixels of an image, or of a band of it, as something that can be stored. It holds nothing by itself.</summary>
internal readonly struct ImageReference(LifetimeGuard guard, uint version, in PixelLayout layout, int firstRow = 0)
{
    private readonly LifetimeGuard _guard = guard;
    private readonly PixelLayout _layout = layout;
    private readonly uint _version = version;
    private readonly int _firstRow = firstRow;

    public int Height => _layout.Height;

    /// <summary>How many rows of the picture one row belongs to.</summary>
    public int RowsOfOne => _layout.RowsOfOne;

    /// <summary>Adds a reference.</summary>
    /// <returns>False when the rent has ended.</returns>
    public bool TryAcquire() => _guard.TryAcquire(_version);

    /// <summary>Releases a reference.</summary>
    public void Release() => _guard.TryRelease(_version);

    /// <summary>A band of whole rows.</summary>
    public ImageReference Band(int firstRow, int height) =>
        new(_guard, _version, _layout.Cut(columnBytes: 0, firstRow, _layout.Width, height), firstRow);

    /// <summary>The pixels of a reference that is held. It lies where it outlives the accessor.</summary>
    [UnscopedRef]
    public PixelAccessor<TPixel> Access<TPixel>()
        where TPixel : unmanaged =>
        new(_guard, in _layout, _firstRow);

    /// <summary>The same, to be read only.</summary>
    [UnscopedRef]
    public ReadOnlyPixelAccessor<TPixel> AccessReadOnly<TPixel>()
        where TPixel : unmanaged =>
        new(Access<TPixel>());
}

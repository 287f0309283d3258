using PixelPool;

namespace Imaging.Memory;

/// <summary>The rows of an image while it is being processed, from whichever allocator it came.</summary>
/// <remarks>One branch a row is the whole price of comparing allocators with the same code.</remarks>
public readonly ref struct PixelRows<TPixel>
    where TPixel : unmanaged
{
    private readonly PixelAccessor<TPixel> _pooled;
    private readonly Span<TPixel> _flat;
    private readonly int _flatWidth;

    /// <summary>Of an image in the pool.</summary>
    public PixelRows(PixelAccessor<TPixel> accessor) => _pooled = accessor;

    /// <summary>Of an image in one run, row after row.</summary>
    public PixelRows(Span<TPixel> pixels, int width)
    {
        _flat = pixels;
        _flatWidth = width;
    }

    /// <summary>In pixels.</summary>
    public int Width => _flat.IsEmpty ? _pooled.Width : _flatWidth;

    /// <summary>In pixels.</summary>
    public int Height => _flat.IsEmpty ? _pooled.Height : _flat.Length / _flatWidth;

    /// <summary>The pixels of a row, from 0 on.</summary>
    public Span<TPixel> this[int y] => _flat.IsEmpty ? _pooled.GetRowSpan(y) : _flat.Slice(y * _flatWidth, _flatWidth);
}

using PixelPool;

namespace Imaging.Memory;

/// <summary>The rows of an image that is only read while another one is made, from whichever allocator it came.</summary>
public readonly ref struct ReadOnlyPixelRows<TPixel>
    where TPixel : unmanaged
{
    private readonly ReadOnlyPixelAccessor<TPixel> _pooled;
    private readonly ReadOnlySpan<TPixel> _flat;
    private readonly int _flatWidth;

    /// <summary>Of an image in the pool.</summary>
    public ReadOnlyPixelRows(ReadOnlyPixelAccessor<TPixel> accessor) => _pooled = accessor;

    /// <summary>Of an image in one run, row after row.</summary>
    public ReadOnlyPixelRows(ReadOnlySpan<TPixel> pixels, int width)
    {
        _flat = pixels;
        _flatWidth = width;
    }

    /// <summary>The pixels of a row, from 0 on.</summary>
    public ReadOnlySpan<TPixel> this[int y] => _flat.IsEmpty ? _pooled.GetRowSpan(y) : _flat.Slice(y * _flatWidth, _flatWidth);
}

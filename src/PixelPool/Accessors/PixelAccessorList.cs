namespace PixelPool;

/// <summary>The pixels of several images, of views of them or of bands, for the duration of a delegate.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <remarks>A <c>ref struct</c> like <see cref="PixelAccessor{TPixel}"/>: it cannot be stored, captured or awaited over.</remarks>
public readonly ref struct PixelAccessorList<TPixel>
    where TPixel : unmanaged
{
    private readonly ReadOnlySpan<PixelReference> _images;

    /// <param name="images">References that are held.</param>
    internal PixelAccessorList(ReadOnlySpan<PixelReference> images) => _images = images;

    /// <summary>How many images there are.</summary>
    public int Count => _images.Length;

    /// <summary>The pixels of one of the images.</summary>
    /// <param name="index">Index of the image: 0 to <see cref="Count"/> − 1, in the order in which they were passed.</param>
    /// <exception cref="IndexOutOfRangeException">There is no such image.</exception>
    public PixelAccessor<TPixel> this[int index] => _images[index].Access<TPixel>();

    /// <summary>How many images there are, for debuggers.</summary>
    public override string ToString() => $"{Plural.Of(Count, "image")} of {TypeName.Of(typeof(TPixel))}";
}

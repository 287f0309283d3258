namespace PixelPool;

/// <summary>An image that <see cref="RowBands"/> can cut.</summary>
internal interface IBandedImage
{
    /// <summary>References it: the caller releases that.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    ImageReference HoldReference();
}

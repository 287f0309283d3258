namespace PixelPool;

/// <summary>An image, whatever its pixels are.</summary>
internal interface IReferencedImage
{
    /// <summary>Adds a reference: the caller disposes it.</summary>
    /// <exception cref="ObjectDisposedException">The image was disposed, or never rented.</exception>
    PixelReference Hold();
}

namespace PixelPool.Tests.Lifetime;

/// <summary>An object of a user that has a finalizer and an image.</summary>
internal interface IImageOwner
{
    PixelBuffer<uint>? Image { get; set; }
}

namespace PixelPool.Stress.Renting;

/// <summary>A <see cref="PixelBuffer{TPixel}"/>, as a struct like all images here.</summary>
internal readonly record struct BufferImage(PixelBuffer<uint> Pixels);

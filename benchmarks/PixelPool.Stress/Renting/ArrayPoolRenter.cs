using System.Buffers;

namespace PixelPool.Stress.Renting;

/// <summary>One array of <see cref="ArrayPool{T}.Shared"/>.</summary>
internal readonly struct ArrayPoolRenter : IRenter<ArrayImage>
{
    public ArrayImage Rent(int width, int height) => new(ArrayPool<byte>.Shared.Rent(width * height * sizeof(uint)), width * height);

    public void Return(ArrayImage image) => ArrayPool<byte>.Shared.Return(image.Array);

    public void Touch(ArrayImage image) => image.Array[0] = 1;

    public void Fill(ArrayImage image, uint colour) => image.Pixels.Fill(colour);

    public void Convert(ArrayImage source, ArrayImage target) => PixelConversion.SwapRedAndBlue(source.Pixels, target.Pixels);

    public bool Trim() => false;
}

namespace PixelPool.Stress.Renting;

/// <summary>A new array each time, left to the collector.</summary>
internal readonly struct NewArrayRenter : IRenter<ArrayImage>
{
    public ArrayImage Rent(int width, int height) => new(new byte[width * height * sizeof(uint)], width * height);

    public void Return(ArrayImage image)
    {
    }

    public void Touch(ArrayImage image) => image.Array[0] = 1;

    public void Fill(ArrayImage image, uint colour) => image.Pixels.Fill(colour);

    public void Convert(ArrayImage source, ArrayImage target) => PixelConversion.SwapRedAndBlue(source.Pixels, target.Pixels);

    public bool Trim() => false;
}

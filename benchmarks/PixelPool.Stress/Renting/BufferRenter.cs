namespace PixelPool.Stress.Renting;

/// <summary>A <see cref="PixelBuffer{TPixel}"/>.</summary>
internal readonly struct BufferRenter(PixelAllocator allocator) : IRenter<BufferImage>
{
    private readonly PixelAllocator _allocator = allocator;

    public BufferImage Rent(int width, int height) => new(_allocator.Rent<uint>(width, height));

    public void Return(BufferImage image) => image.Pixels.Dispose();

    public void Touch(BufferImage image) => image.Pixels[0, 0] = 1;

    public void Fill(BufferImage image, uint colour) => image.Pixels.Fill(colour);

    public void Convert(BufferImage source, BufferImage target) =>
        source.Pixels.ProcessPixelRows(target.Pixels, static (from, to) => PixelConversion.SwapRedAndBlue(from, to));

    public bool Trim()
    {
        _allocator.Trim();
        return true;
    }
}

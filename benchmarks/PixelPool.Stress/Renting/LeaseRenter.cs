namespace PixelPool.Stress.Renting;

/// <summary>A <see cref="PixelLease{TPixel}"/>.</summary>
internal readonly struct LeaseRenter(PixelAllocator allocator) : IRenter<PixelLease<uint>>
{
    private readonly PixelAllocator _allocator = allocator;

    public PixelLease<uint> Rent(int width, int height) => _allocator.Lease<uint>(width, height);

    public void Return(PixelLease<uint> image) => image.Dispose();

    public void Touch(PixelLease<uint> image) => image[0, 0] = 1;

    public void Fill(PixelLease<uint> image, uint colour) => image.Fill(colour);

    public void Convert(PixelLease<uint> source, PixelLease<uint> target) =>
        source.ProcessPixelRows(target, static (from, to) => PixelConversion.SwapRedAndBlue(from, to));

    public bool Trim()
    {
        _allocator.Trim();
        return true;
    }
}

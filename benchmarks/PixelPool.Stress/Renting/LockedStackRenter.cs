namespace PixelPool.Stress.Renting;

/// <summary>Images of one size on a stack behind one lock, which keeps all of them.</summary>
internal readonly struct LockedStackRenter(int imageBytes) : IRenter<NativeImage>
{
    private readonly LockedStack _stack = new(imageBytes);

    public NativeImage Rent(int width, int height)
    {
        nint address = 0;
        _stack.Rent(new Span<nint>(ref address));
        return new NativeImage(address, width * height);
    }

    public void Return(NativeImage image) => _stack.Return([image.Address]);

    public void Touch(NativeImage image) => image.Pixels[0] = 1;

    public void Fill(NativeImage image, uint colour) => image.Pixels.Fill(colour);

    public void Convert(NativeImage source, NativeImage target) => PixelConversion.SwapRedAndBlue(source.Pixels, target.Pixels);

    public bool Trim() => false;
}

using System.Runtime.InteropServices;

namespace PixelPool.Stress.Renting;

/// <summary>One allocation of the C library. As long as it is not touched, what it really costs is not seen.</summary>
internal readonly unsafe struct NativeRenter : IRenter<NativeImage>
{
    public NativeImage Rent(int width, int height) => new((nint)NativeMemory.Alloc((nuint)(width * height * sizeof(uint))), width * height);

    public void Return(NativeImage image) => NativeMemory.Free((void*)image.Address);

    public void Touch(NativeImage image) => image.Pixels[0] = 1;

    public void Fill(NativeImage image, uint colour) => image.Pixels.Fill(colour);

    public void Convert(NativeImage source, NativeImage target) => PixelConversion.SwapRedAndBlue(source.Pixels, target.Pixels);

    public bool Trim() => false;
}

namespace PixelPool.Stress.Renting;

/// <summary>Pixels outside of the managed heap.</summary>
internal readonly unsafe record struct NativeImage(nint Address, int PixelCount)
{
    public Span<uint> Pixels => new((void*)Address, PixelCount);
}

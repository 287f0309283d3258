namespace PixelPool.Tests.Documentation;

/// <summary>Stands for the native library of the README's example: it writes through a pointer and a stride.</summary>
internal static unsafe class NativeDecoder
{
    public static void Decode(void* pixels, int width, int height, int stride)
    {
        for (int y = 0; y < height; y++)
        {
            new Span<uint>((byte*)pixels + ((nint)y * stride), width).Fill(uint.MaxValue);
        }
    }
}

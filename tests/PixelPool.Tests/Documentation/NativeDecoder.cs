namespace PixelPool.Tests.Documentation;

/// <summary>Stands for the native library of <c>docs/native.md</c>: it writes to an address with a stride.</summary>
internal static unsafe class NativeDecoder
{
    public static void Decode(nint pixels, int width, int height, int stride)
    {
        for (int y = 0; y < height; y++)
        {
            new Span<uint>((void*)(pixels + ((nint)y * stride)), width).Fill(uint.MaxValue);
        }
    }

    /// <summary>Writes whole rows of planes.</summary>
    public static void DecodePlanes(nint y, int strideY, nint uv, int strideUV, int height)
    {
        new Span<byte>((void*)y, strideY * height).Fill(16);
        new Span<byte>((void*)uv, strideUV * ((height + 1) / 2)).Fill(128);
    }
}

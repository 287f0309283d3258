namespace PixelPool.Tests.Native.Margins;

/// <summary>The bytes beside memory that code with vectors may read.</summary>
internal static unsafe class Margin
{
    /// <summary>How many of them there are on both sides.</summary>
    public const int Bytes = 64;

    /// <summary>Checks the bytes beside every row of images, in what the kernel says and by reading them. What an array is in stays where it is meanwhile.</summary>
    public static void AssertReadable(params IEnumerable<PixelBuffer<byte>> images)
    {
        using var pins = new Pins();
        List<(nint Start, nint End)> rows = [];
        foreach (PixelBuffer<byte> image in images)
        {
            pins.Add(image);
            for (int y = 0; y < image.Height; y++)
            {
                fixed (byte* row = image.DangerousGetRowSpan(y))
                {
                    rows.Add(((nint)row, (nint)row + image.Width));
                }
            }
        }

        AssertReadable(rows);
    }

    /// <summary>Checks the bytes beside pieces of memory.</summary>
    public static void AssertReadable(IReadOnlyCollection<(nint Start, nint End)> pieces)
    {
        var map = MemoryMap.Read();
        foreach ((nint start, nint end) in pieces)
        {
            Assert.True(map.IsReadable(start - Bytes, start), $"{Bytes} bytes before 0x{start:x}, of {end - start} bytes, cannot be read");
            Assert.True(map.IsReadable(end, end + Bytes), $"{Bytes} bytes behind 0x{end:x}, after {end - start} bytes, cannot be read");
        }

        foreach ((nint start, nint end) in pieces)
        {
            _ = new ReadOnlySpan<byte>((void*)(start - Bytes), Bytes).Count((byte)1) + new ReadOnlySpan<byte>((void*)end, Bytes).Count((byte)1);
        }
    }

    private sealed class Pins : IDisposable
    {
        private readonly List<PinnedPixels> _pins = [];

        public void Add(PixelBuffer<byte> image)
        {
            if (image.IsContiguous)
            {
                _pins.Add(image.Pin());
            }
        }

        public void Dispose() => _pins.ForEach(static pin => pin.Dispose());
    }
}

namespace PixelPool.Tests.Documentation;

/// <summary>The snippets of <c>docs/native.md</c>, compiled and run; those with libraries are in the tests of native libraries.</summary>
public sealed class NativePageTests : IDisposable
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create();

    public void Dispose() => _allocator.Dispose();

    [Fact]
    public void A_pin()
    {
        PixelAllocator allocator = _allocator;

        #region docs/native.md
        using PixelBuffer<uint> frame = allocator.Rent<uint>(1920, 1080, AllocationOptions.Contiguous);
        using (PinnedPixels pixels = frame.Pin())
        {
            NativeDecoder.Decode(pixels.Address, pixels.Width, pixels.Height, pixels.Stride);
        }
        #endregion

        Assert.Equal(uint.MaxValue, frame[1919, 1079]);
    }

    [Fact]
    public void A_stride()
    {
        #region docs/native.md
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { RowAlignmentBytes = 64 });
        using PixelBuffer<uint> frame = allocator.Rent<uint>(1001, 1000, AllocationOptions.Contiguous); // Stride is 4032, not 4004
        #endregion

        Assert.Equal(4032, frame.Stride);
        using PinnedPixels pin = frame.Pin();
        Assert.Equal(0, pin.Address % 64);
    }

    [Fact]
    public void A_bitmap()
    {
        PixelAllocator allocator = _allocator;
        using (var bitmap = new NativeBitmap())
        {
            Show(allocator, bitmap);
            Assert.Equal(uint.MaxValue, bitmap.FirstPixel);
            Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        }

        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));

        static void Show(PixelAllocator allocator, NativeBitmap bitmap)
        {
            #region docs/native.md
            using PixelBuffer<uint> photo = allocator.Rent<uint>(1920, 1080, AllocationOptions.Contiguous);
            photo.Fill(0xFFFFFFFF);

            NativePixels given = photo.Pin().GiveToNative();
            if (!bitmap.InstallPixels(given.Address, given.Width, given.Height, given.Stride, NativePixels.ReleaseContextSecond, given.Context))
            {
                given.Release();
            }
            #endregion
        }
    }

    [Fact]
    public void Planes()
    {
        PixelAllocator allocator = _allocator;

        #region docs/native.md
        PlanarLayout layout = PlanarLayout.Nv12(1920, 1080, rowAlignmentBytes: 64);
        using PlanarImage frame = allocator.RentPlanar(layout);
        using (PinnedPixels y = frame.Planes[0].Pin())
        {
            nint uv = y.Address + (nint)layout.Planes[1].Offset;
            NativeDecoder.DecodePlanes(y.Address, y.Stride, uv, layout.Planes[1].Stride, frame.Height);
        }

        PixelBuffer<byte> chroma = frame.Planes[1]; // 1920 x 540: U and V of a pair side by side
        byte v = chroma[(2 * 100) + 1, 50];         // of the pixels at (200, 100) and around
        #endregion

        Assert.Equal((128, 1920, 540), (v, chroma.Width, chroma.Height));
        Assert.Equal(16, frame.Planes[0][1919, 1079]);
    }
}

using Imaging.Memory;

namespace NativeLibraries.Tests.LibVips;

/// <summary>libvips and GLib compute with pooled pixels that were given to them, without a copy, and release them when they are done.</summary>
public sealed class VipsTests : IDisposable
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 64 << 20, LeakTracking = LeakTracking.Full });

    public VipsTests()
    {
        NativeImports.Need(Vips.Library);
        NativeImports.Need(Vips.Objects);
        NativeImports.Need(Vips.GLib);
        Assert.Equal(0, Vips.Init(nameof(VipsTests)));
        Vips.SetCacheSize(0);
    }

    /// <summary>An array, a block, several blocks.</summary>
    public static TheoryData<int, int> Sizes => new() { { 1, 1 }, { 101, 57 }, { 1000, 1000 }, { 3001, 2003 } };

    public void Dispose() => _allocator.Dispose();

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Vips_reads_pixels_and_releases_them_when_its_image_ends(int width, int height)
    {
        (NativePixels given, double average) = Draw(width, height);
        using (VipsImage image = VipsImage.Of(given, bands: 3))
        {
            image.OnPostClose(NativePixels.ReleaseContextSecond, given.Context);
            Assert.Equal(given.Address, image.Data);
            Assert.Equal(average, image.Average(), 6);
            Assert.NotEqual(0, _allocator.GetStatistics().RentedBytes);
        }

        AssertReleased(secondReturns: 0);
    }

    [Fact]
    public void The_page_shows_how()
    {
        Assert.NotEqual(0, ComputeLater(_allocator));
        AssertReleased(secondReturns: 0);

        static double ComputeLater(PixelAllocator allocator)
        {
            nint image;

            #region docs/native.md
            using (PixelBuffer<Rgb24> photo = allocator.Rent<Rgb24>(1000, 700, AllocationOptions.Contiguous))
            {
                photo.Fill(new Rgb24(10, 20, 30));
                NativePixels given = photo.Pin().GiveToNative();
                nuint bytes = (nuint)given.Stride * (nuint)given.Height;
                image = Vips.NewFromMemory(given.Address, bytes, given.Width, given.Height, bands: 3, Vips.FormatByte);
                Vips.Connect(image, "postclose", NativePixels.ReleaseContextSecond, given.Context, destroyData: 0, flags: 0);
            }
            #endregion

            using var held = new VipsImage(image);
            return held.Average();
        }
    }

    [Fact]
    public void An_image_that_computes_later_holds_the_pixels_until_it_ends()
    {
        (NativePixels given, double average) = Draw(1000, 700);
        VipsImage image = VipsImage.Of(given, bands: 3);
        image.OnPostClose(NativePixels.ReleaseContextSecond, given.Context);
        VipsImage inverted = image.Invert();
        image.Dispose();
        Assert.NotEqual(0, _allocator.GetStatistics().RentedBytes);
        Assert.Single(_allocator.GetOutstandingRents());
        Assert.Equal(255 - average, inverted.Average(), 6);
        inverted.Dispose();
        AssertReleased(secondReturns: 0);
    }

    [Fact]
    public void A_library_that_releases_twice_does_no_harm()
    {
        (NativePixels given, _) = Draw(100, 100);
        using (VipsImage image = VipsImage.Of(given, bands: 3))
        {
            image.OnPostClose(NativePixels.ReleaseContextSecond, given.Context, destroyData: NativePixels.ReleaseContextFirst);
        }

        AssertReleased(secondReturns: 1);
    }

    [Fact]
    public void GLib_releases_bytes_with_the_context_alone()
    {
        (NativePixels given, _) = Draw(1000, 700);
        nint bytes = Vips.NewBytes(given.Address, (nuint)given.Stride * (nuint)given.Height, NativePixels.ReleaseContextFirst, given.Context);
        nint same = Vips.NewBytes(given.Address, (nuint)given.Stride * (nuint)given.Height, free: 0, context: 0);
        Assert.Equal(Vips.HashBytes(same), Vips.HashBytes(bytes));
        Vips.UnrefBytes(same);
        Assert.NotEqual(0, _allocator.GetStatistics().RentedBytes);
        Vips.UnrefBytes(bytes);
        AssertReleased(secondReturns: 0);
    }

    // The image ends here; only native code holds its pixels.
    private (NativePixels Given, double Average) Draw(int width, int height)
    {
        long sum = 0;
        using PixelBuffer<Rgb24> image = _allocator.Rent<Rgb24>(width, height, AllocationOptions.Contiguous);
        image.ProcessPixelRows(rows =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                Span<Rgb24> row = rows.GetRowSpan(y);
                for (int x = 0; x < row.Length; x++)
                {
                    row[x] = new Rgb24((byte)x, (byte)y, (byte)(x ^ y));
                    sum += row[x].R + row[x].G + row[x].B;
                }
            }
        });
        return (image.Pin().GiveToNative(), sum / (3.0 * width * height));
    }

    private void AssertReleased(long secondReturns)
    {
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal((0L, secondReturns, 0L), (statistics.RentedBytes, statistics.SecondReturns, statistics.LeakedCount));
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.IdleBytes);
        Assert.Empty(_allocator.GetOutstandingRents());
    }
}

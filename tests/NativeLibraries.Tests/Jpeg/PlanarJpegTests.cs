using Imaging.Codecs.Jpeg;
using Imaging.Memory;

namespace NativeLibraries.Tests.Jpeg;

/// <summary>libjpeg-turbo writes and reads planes of the pool: it computes the same sizes, finds every sample where it left it, and writes nowhere else.</summary>
public sealed class PlanarJpegTests : IDisposable
{
    private const int Subsampling444 = 0;
    private const int Subsampling422 = 1;
    private const byte Untouched = 0xA5;

    // JPEG at this quality changes smooth samples by a few steps.
    private const int Tolerance = 6;

    private static readonly int[] s_subsamplings = [Subsampling444, Subsampling422, TurboJpeg.Subsampling420];

    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions { RowAlignmentBytes = 64, MaxPooledBytes = 64 << 20 });

    public PlanarJpegTests() => NativeImports.Need(TurboJpeg.Library);

    /// <summary>Subsampling, width, height, alignment of rows: odd sizes, a single pixel, more than a block of the pool.</summary>
    public static TheoryData<int, int, int, int> Images
    {
        get
        {
            var images = new TheoryData<int, int, int, int>();
            foreach (int subsampling in s_subsamplings)
            {
                foreach ((int width, int height, int alignment) in ((int, int, int)[])
                    [(1, 1, 1), (2, 1, 4), (5, 3, 1), (16, 16, 16), (33, 61, 64), (640, 480, 1), (641, 479, 64), (2561, 1999, 32)])
                {
                    images.Add(subsampling, width, height, alignment);
                }
            }

            return images;
        }
    }

    public void Dispose() => _allocator.Dispose();

    [Fact]
    public void Sizes_are_those_that_TurboJPEG_computes()
    {
        foreach (int subsampling in s_subsamplings)
        {
            foreach (int alignment in (int[])[1, 2, 4, 8, 16, 64, 256])
            {
                for (int size = 1; size < 70; size++)
                {
                    (int width, int height) = (size, 71 - size);
                    PlanarLayout layout = Layout(subsampling, width, height, alignment);
                    Assert.Equal((long)TurboJpegPlanes.BufferSize(width, alignment, height, subsampling).Value, layout.Bytes);
                    for (int i = 0; i < 3; i++)
                    {
                        PlaneLayout plane = layout.Planes[i];
                        int planeWidth = TurboJpegPlanes.PlaneWidth(i, width, subsampling);
                        int planeHeight = TurboJpegPlanes.PlaneHeight(i, height, subsampling);
                        Assert.Equal((plane.Stride, plane.Bytes), ((planeWidth + alignment - 1) & -alignment, (long)plane.Stride * planeHeight));
                        Assert.True((long)TurboJpegPlanes.PlaneSize(i, width, plane.Stride, height, subsampling).Value <= plane.Bytes);

                        // TurboJPEG counts the last column and row that odd sizes have room for; they are no part of the image.
                        Assert.Equal(i == 0 ? (width, height) : (planeWidth, planeHeight), (plane.Width, plane.Height));
                    }
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Images))]
    public void Planes_survive_a_file(int subsampling, int width, int height, int alignment)
    {
        PlanarLayout layout = Layout(subsampling, width, height, alignment);
        using (PixelBuffer<Rgb24> source = _allocator.Rent<Rgb24>(width, height, AllocationOptions.Contiguous))
        using (PlanarImage planes = _allocator.RentPlanar(layout))
        using (PlanarImage read = _allocator.RentPlanar(layout))
        using (PlanarImage unified = _allocator.RentPlanar(layout))
        {
            Draw(source);
            PlanarJpeg.Encode(source, planes, subsampling);
            AssertColours(source, planes);
            byte[] file = PlanarJpeg.Write(planes, subsampling);
            PlanarJpeg.Read(file, read);
            AssertSimilar(planes, read, Tolerance);
            PlanarJpeg.ReadUnified(file, unified);
            AssertSimilar(read, unified, 0);
        }

        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
    }

    [Theory]
    [MemberData(nameof(Images))]
    public unsafe void Nothing_is_written_beside_the_planes(int subsampling, int width, int height, int alignment)
    {
        PlanarLayout layout = Layout(subsampling, width, height, alignment);
        using PlanarImage planes = _allocator.RentPlanar(layout);
        using PixelBuffer<Rgb24> source = _allocator.Rent<Rgb24>(width, height, AllocationOptions.Contiguous);
        Draw(source);
        using PinnedPixels pin = planes.Planes[0].Pin();
        var all = new Span<byte>(pin.Pointer, (int)layout.Bytes);
        all.Fill(Untouched);
        PlanarJpeg.Encode(source, planes, subsampling);
        for (int i = 0; i < 3; i++)
        {
            // Behind the samples of a row, up to the next one.
            PlaneLayout plane = layout.Planes[i];
            int samples = TurboJpegPlanes.PlaneWidth(i, width, subsampling);
            for (int y = 0; y < plane.Bytes / plane.Stride; y++)
            {
                Assert.Equal(-1, all.Slice((int)plane.Offset + (y * plane.Stride) + samples, plane.Stride - samples).IndexOfAnyExcept(Untouched));
            }
        }
    }

    private static PlanarLayout Layout(int subsampling, int width, int height, int alignment) => subsampling switch
    {
        Subsampling444 => PlanarLayout.Yuv444(width, height, alignment),
        Subsampling422 => PlanarLayout.Yuv422(width, height, alignment),
        _ => PlanarLayout.Yuv420(width, height, alignment),
    };

    // Smooth, and different in every corner.
    private static void Draw(PixelBuffer<Rgb24> image) => image.ProcessPixelRows(static rows =>
    {
        for (int y = 0; y < rows.Height; y++)
        {
            Span<Rgb24> row = rows.GetRowSpan(y);
            for (int x = 0; x < row.Length; x++)
            {
                row[x] = new Rgb24((byte)(40 + (x * 160 / row.Length)), (byte)(60 + (y * 120 / rows.Height)), (byte)(200 - (x * 100 / row.Length)));
            }
        }
    });

    // ITU-R BT.601, as JFIF has it.
    private static void AssertColours(PixelBuffer<Rgb24> image, PlanarImage planes)
    {
        foreach ((int x, int y) in ((int, int)[])[(0, 0), (image.Width - 1, 0), (0, image.Height - 1), (image.Width - 1, image.Height - 1), (image.Width / 2, image.Height / 3)])
        {
            (double r, double g, double b) = (image[x, y].R, image[x, y].G, image[x, y].B);
            double luma = (0.299 * r) + (0.587 * g) + (0.114 * b);
            double[] expected = [luma, 128 + (0.564 * (b - luma)), 128 + (0.713 * (r - luma))];
            for (int i = 0; i < 3; i++)
            {
                PixelBuffer<byte> plane = planes.Planes[i];
                byte sample = plane[x * plane.Width / image.Width, y * plane.Height / image.Height];
                Assert.True(Math.Abs(sample - expected[i]) <= (image.Width < 40 || image.Height < 40 ? 70 : 3), $"plane {i} at ({x}, {y}): {sample}, not {expected[i]}");
            }
        }
    }

    private static void AssertSimilar(PlanarImage expected, PlanarImage read, int tolerance)
    {
        for (int i = 0; i < 3; i++)
        {
            expected.Planes[i].ProcessPixelRows(read.Planes[i], (rows, others) =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    Span<byte> row = rows.GetRowSpan(y);
                    Span<byte> other = others.GetRowSpan(y);
                    for (int x = 0; x < row.Length; x++)
                    {
                        if (Math.Abs(row[x] - other[x]) > tolerance)
                        {
                            Assert.Fail($"plane {i} at ({x}, {y}): {other[x]}, not {row[x]}");
                        }
                    }
                }
            });
        }
    }
}

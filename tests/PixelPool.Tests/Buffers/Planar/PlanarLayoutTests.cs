namespace PixelPool.Tests.Buffers.Planar;

/// <summary>Where planes lie: offsets, strides, and sizes that are rounded up.</summary>
public class PlanarLayoutTests
{
    /// <summary>Format, size and alignment, and each plane as width × height, stride, offset, bytes.</summary>
    public static TheoryData<string, int, int, int, string> Known => new()
    {
        { nameof(PlanarLayout.Yuv420), 640, 480, 1, "640x480 640 0 307200 | 320x240 320 307200 76800 | 320x240 320 384000 76800" },
        { nameof(PlanarLayout.Yuv422), 640, 480, 1, "640x480 640 0 307200 | 320x480 320 307200 153600 | 320x480 320 460800 153600" },
        { nameof(PlanarLayout.Yuv444), 640, 480, 1, "640x480 640 0 307200 | 640x480 640 307200 307200 | 640x480 640 614400 307200" },
        { nameof(PlanarLayout.Nv12), 640, 480, 1, "640x480 640 0 307200 | 640x240 640 307200 153600" },
        { nameof(PlanarLayout.Yuv420), 1, 1, 1, "1x1 2 0 4 | 1x1 1 4 1 | 1x1 1 5 1" },
        { nameof(PlanarLayout.Yuv422), 1, 1, 1, "1x1 2 0 2 | 1x1 1 2 1 | 1x1 1 3 1" },
        { nameof(PlanarLayout.Yuv444), 1, 1, 1, "1x1 1 0 1 | 1x1 1 1 1 | 1x1 1 2 1" },
        { nameof(PlanarLayout.Nv12), 1, 1, 1, "1x1 2 0 4 | 2x1 2 4 2" },
        { nameof(PlanarLayout.Yuv420), 5, 3, 1, "5x3 6 0 24 | 3x2 3 24 6 | 3x2 3 30 6" },
        { nameof(PlanarLayout.Yuv420), 5, 3, 4, "5x3 8 0 32 | 3x2 4 32 8 | 3x2 4 40 8" },
        { nameof(PlanarLayout.Yuv420), 100, 10, 64, "100x10 128 0 1280 | 50x5 64 1280 320 | 50x5 64 1600 320" },
        { nameof(PlanarLayout.Nv12), 101, 11, 64, "101x11 128 0 1536 | 102x6 128 1536 768" },
        { nameof(PlanarLayout.P010), 640, 480, 1, "1280x480 1280 0 614400 | 1280x240 1280 614400 307200" },
        { nameof(PlanarLayout.P016), 101, 11, 64, "202x11 256 0 3072 | 204x6 256 3072 1536" },
        { PlanarFormats.I010, 5, 3, 1, "10x3 12 0 48 | 6x2 6 48 12 | 6x2 6 60 12" },
        { nameof(PlanarLayout.Yuv444), 3, 2, 4096, "3x2 4096 0 8192 | 3x2 4096 8192 8192 | 3x2 4096 16384 8192" },
    };

    public static TheoryData<string> Formats => [.. PlanarFormats.Names];

    [Theory]
    [MemberData(nameof(Known))]
    public void Planes_lie_where_codecs_expect_them(string format, int width, int height, int alignment, string planes)
    {
        PlanarLayout layout = PlanarFormats.Layout(format, width, height, alignment);
        Assert.Equal(planes, string.Join(" | ", layout.Planes.Select(static plane => $"{plane.Width}x{plane.Height} {plane.Stride} {plane.Offset} {plane.Bytes}")));
        Assert.Equal((width, height, alignment), (layout.Width, layout.Height, layout.RowAlignmentBytes));
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void Planes_follow_each_other_and_every_row_is_aligned(string format)
    {
        foreach (int alignment in (int[])[1, 2, 16, 64, 4096])
        {
            for (int size = 1; size < 40; size++)
            {
                PlanarLayout layout = PlanarFormats.Layout(format, size, 41 - size, alignment);
                long end = 0;
                foreach (PlaneLayout plane in layout.Planes)
                {
                    Assert.Equal(end, plane.Offset);
                    Assert.Equal((0, 0L), (plane.Stride % alignment, plane.Offset % alignment));
                    Assert.True(plane.Stride >= plane.Width && plane.Bytes >= (long)plane.Stride * plane.Height);
                    end += plane.Bytes;
                }

                Assert.Equal(end, layout.Bytes);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void Sizes_and_alignments_that_are_none_are_refused(string format)
    {
        foreach (int size in (int[])[0, -1, int.MinValue])
        {
            Assert.Equal("width", Assert.Throws<ArgumentOutOfRangeException>(() => PlanarFormats.Layout(format, size, 1, 1)).ParamName);
            Assert.Equal("height", Assert.Throws<ArgumentOutOfRangeException>(() => PlanarFormats.Layout(format, 1, size, 1)).ParamName);
        }

        foreach (int alignment in (int[])[0, -1, 3, 8192, int.MinValue, int.MaxValue])
        {
            Assert.Equal("rowAlignmentBytes", Assert.Throws<ArgumentOutOfRangeException>(() => PlanarFormats.Layout(format, 1, 1, alignment)).ParamName);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(-1)]
    public void Samples_have_one_byte_or_two(int bytes)
    {
        Assert.Throws<ArgumentOutOfRangeException>("sampleBytes", () => PlanarLayout.Yuv420(1, 1, 1, bytes));
        Assert.Throws<ArgumentOutOfRangeException>("sampleBytes", () => PlanarLayout.Yuv422(1, 1, 1, bytes));
        Assert.Throws<ArgumentOutOfRangeException>("sampleBytes", () => PlanarLayout.Yuv444(1, 1, 1, bytes));
        Assert.Equal((1, 2, 2), (PlanarLayout.Nv12(1, 1).SampleBytes, PlanarLayout.P016(1, 1).SampleBytes, PlanarLayout.Yuv422(1, 1, 1, 2).SampleBytes));
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void Sizes_over_every_limit_are_refused(string format)
    {
        Assert.Throws<InvalidMemoryOperationException>(() => PlanarFormats.Layout(format, int.MaxValue, int.MaxValue, 1));
        Assert.Throws<InvalidMemoryOperationException>(() => PlanarFormats.Layout(format, int.MaxValue - 1, int.MaxValue, 1));
        Assert.Throws<InvalidMemoryOperationException>(() => PlanarFormats.Layout(format, int.MaxValue, 1, 4096));
        Assert.Throws<InvalidMemoryOperationException>(() => PlanarFormats.Layout(format, 1 << 24, 1 << 24, 1));

        // Rows are counted from the start of the memory.
        Assert.Throws<InvalidMemoryOperationException>(() => PlanarFormats.Layout(format, 1, int.MaxValue, 1));
    }

    [Fact]
    public void Large_sizes_are_computed_without_overflow()
    {
        Assert.SkipWhen(IntPtr.Size == 4, "A 32-bit process has no such image.");
        PlanarLayout layout = PlanarLayout.Yuv444(1 << 20, 1 << 20);
        Assert.Equal(3L << 40, layout.Bytes);
        Assert.Equal(2L << 40, layout.Planes[2].Offset);
        Assert.Equal((int.MaxValue & ~1) + (((int.MaxValue & ~1) / 2) * 2L), PlanarLayout.Yuv422(int.MaxValue & ~1, 1).Bytes);
    }
}

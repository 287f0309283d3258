using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers.Planar;

/// <summary>Planes are images like any other, in one rent: they overlap nowhere, and end with the image.</summary>
public sealed unsafe class PlanarImageTests : IDisposable
{
    private readonly TestSystem _system = new();

    /// <summary>From one array to memory that is not pooled.</summary>
    public static TheoryData<int, int, int> Sizes => new()
    {
        { 1, 1, 1 }, { 2, 2, 1 }, { 5, 3, 1 }, { 17, 31, 16 }, { 64, 64, 64 }, { 101, 57, 4096 }, { 300, 200, 1 }, { 641, 479, 64 }, { 2000, 1500, 16 },
    };

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Every_sample_of_every_plane_has_a_place_of_its_own(int width, int height, int alignment)
    {
        foreach (PlanarLayout layout in PlanarFormats.Layouts(width, height, alignment))
        {
            using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 8, options => options.RowAlignmentBytes = alignment);
            using (PlanarImage image = allocator.RentPlanar(layout))
            {
                Assert.Equal((width, height, layout), (image.Width, image.Height, image.Layout));
                Assert.Equal(layout.Planes.Select(static plane => (plane.Width, plane.Height, plane.Stride)), image.Planes.Select(static plane => (plane.Width, plane.Height, plane.Stride)));
                Write(image);
                AssertWritten(image);
                using PinnedPixels first = image.Planes[0].Pin();
                for (int i = 0; i < image.Planes.Count; i++)
                {
                    PixelBuffer<byte> plane = image.Planes[i];
                    Assert.True(plane.IsContiguous);
                    using PinnedPixels pin = plane.Pin();
                    Assert.Equal(layout.Planes[i].Offset, pin.Address - first.Address);
                    Assert.Equal(0, pin.Address % alignment);
                    Assert.Equal(plane[plane.Width - 1, plane.Height - 1], ((byte*)pin.Address)[((nint)pin.Stride * (pin.Height - 1)) + pin.Width - 1]);
                }
            }

            StatisticsAssert.Balanced(allocator.GetStatistics());
            Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        }
    }

    [Fact]
    public void The_room_of_all_planes_is_the_images()
    {
        // Codecs write whole chroma samples at the edges of odd sizes, and whole strides.
        foreach (PlanarLayout layout in PlanarFormats.Layouts(61, 33, 16))
        {
            using PixelAllocator allocator = _system.CreateAllocator();
            using PlanarImage image = allocator.RentPlanar(layout);
            Assert.InRange(layout.Bytes, 1, allocator.GetStatistics().RentedBytes);
            using (PinnedPixels pin = image.Planes[0].Pin())
            {
                new Span<byte>(pin.Pointer, (int)layout.Bytes).Fill(9);
            }

            Assert.All(image.Planes, static plane => Assert.Equal(9, plane[plane.Width - 1, plane.Height - 1]));
        }
    }

    [Fact]
    public void Planes_copy_fill_stream_and_are_viewed_like_images()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PlanarImage image = allocator.RentPlanar(PlanarLayout.Yuv420(301, 203, 16));
        using PlanarImage other = allocator.RentPlanar(PlanarLayout.Yuv420(301, 203, 64), AllocationOptions.Clean);
        Write(image);
        for (int i = 0; i < 3; i++)
        {
            using var stream = new MemoryStream();
            image.Planes[i].WriteTo(stream);
            Assert.Equal((long)image.Planes[i].Width * image.Planes[i].Height, stream.Length);
            stream.Position = 0;
            other.Planes[i].ReadFrom(stream);
        }

        AssertWritten(other);
        other.Planes[1].Fill(1);
        image.Planes[2].CopyTo(other.Planes[1]);
        using (PixelBuffer<byte> view = other.Planes[1].View(10, 20, 5, 6))
        {
            Assert.Equal(image.Planes[2][12, 23], view[2, 3]);
        }

        other.Planes[1].ProcessPixelRowsInParallel(static rows => rows.GetRowSpan(rows.Height - 1).Clear());
        Assert.Equal(0, other.Planes[1][0, other.Planes[1].Height - 1]);
        image.Planes[2].CopyTo(other.Planes[1]);
        image.Planes[1].CopyTo(other.Planes[2]);
        (byte u, byte v) = (image.Planes[1][7, 7], image.Planes[2][7, 7]);
        Assert.Equal((v, u), (other.Planes[1][7, 7], other.Planes[2][7, 7]));
        Assert.Equal(image.Planes[0][300, 202], other.Planes[0][300, 202]);
    }

    [Fact]
    public void Clean_planes_are_zero()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        foreach (PlanarLayout layout in PlanarFormats.Layouts(401, 303, 16).Concat(PlanarFormats.Layouts(9, 7, 1)))
        {
            using (PlanarImage dirty = allocator.RentPlanar(layout))
            {
                Write(dirty);
            }

            using PlanarImage image = allocator.RentPlanar(layout, AllocationOptions.Clean);
            Assert.All(image.Planes, static plane => plane.ProcessPixelRows(static rows =>
            {
                foreach (Span<byte> row in rows)
                {
                    Assert.Equal(-1, row.IndexOfAnyExcept((byte)0));
                }
            }));
        }
    }

    [Fact]
    public void Planes_end_with_the_image_and_what_uses_them_keeps_the_memory()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        PlanarImage image = allocator.RentPlanar(PlanarLayout.Nv12(640, 480));
        Write(image);
        byte last = image.Planes[1][639, 239];
        PixelBuffer<byte> view = image.Planes[1].View(639, 239, 1, 1);
        PinnedPixels pin = image.Planes[0].Pin();
        image.Planes[1].ProcessPixelRows(rows =>
        {
            image.Dispose();
            rows.GetRowSpan(0)[0] = 1;
        });
        image.Dispose();
        Assert.True(image.IsDisposed && image.Planes.All(static plane => plane.IsDisposed));
        Assert.All(image.Planes, static plane => Assert.Throws<ObjectDisposedException>(() => plane[0, 0]));
        Assert.Throws<ObjectDisposedException>(() => image.Planes[0].Pin());
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        Assert.Equal(last, view[0, 0]);
        view.Dispose();
        Assert.Equal(last, ((byte*)pin.Address)[image.Layout.Planes[1].Offset + (239 * 640) + 639]);
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        pin.Dispose();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void A_plane_that_is_disposed_ends_alone()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using (PlanarImage image = allocator.RentPlanar(PlanarLayout.Yuv422(100, 100)))
        {
            image.Planes[1].Dispose();
            image.Planes[1].Dispose();
            Assert.Throws<ObjectDisposedException>(() => image.Planes[1][0, 0]);
            image.Planes[0][0, 0] = 1;
            image.Planes[2][0, 0] = 2;
            Assert.False(image.IsDisposed);
        }

        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Threads_that_dispose_it_return_it_once()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        for (int round = 0; round < 200; round++)
        {
            PlanarImage image = allocator.RentPlanar(PlanarLayout.Yuv420(300, 300));
            Parallel.For(0, 4, i =>
            {
                image.Planes[i % 3].Dispose();
                image.Dispose();
            });
            Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        }

        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void One_release_of_native_code_ends_all_planes()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        NativePixels given;
        using (PlanarImage image = allocator.RentPlanar(PlanarLayout.Yuv420(640, 480)))
        {
            Write(image);
            given = image.Planes[0].Pin().GiveToNative();
        }

        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        new Span<byte>((void*)given.Address, (int)PlanarLayout.Yuv420(640, 480).Bytes).Fill(1);
        given.Release();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    private static byte Value(int plane, int x, int y) => (byte)((plane * 83) + (x * 7) + (y * 13));

    private static void Write(PlanarImage image)
    {
        for (int i = 0; i < image.Planes.Count; i++)
        {
            image.Planes[i].ProcessPixelRows(i, static (rows, plane) =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    Span<byte> row = rows.GetRowSpan(y);
                    for (int x = 0; x < row.Length; x++)
                    {
                        row[x] = Value(plane, x, y);
                    }
                }
            });
        }
    }

    private static void AssertWritten(PlanarImage image)
    {
        for (int i = 0; i < image.Planes.Count; i++)
        {
            image.Planes[i].ProcessPixelRows(i, static (rows, plane) =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    Span<byte> row = rows.GetRowSpan(y);
                    for (int x = 0; x < row.Length; x++)
                    {
                        if (row[x] != Value(plane, x, y))
                        {
                            Assert.Fail($"plane {plane}, ({x}, {y})");
                        }
                    }
                }
            });
        }
    }
}

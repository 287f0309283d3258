using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers.Planar;

/// <summary>All planes together: pinned, read, written, copied.</summary>
public sealed class PlanarCopyTests : IDisposable
{
    private readonly TestSystem _system = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string> Formats => [.. PlanarFormats.Names];

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(Formats))]
    public async Task Raw_video_is_read_and_written(string format)
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        foreach (int alignment in (int[])[1, 64])
        {
            using PlanarImage image = allocator.RentPlanar(PlanarFormats.Layout(format, 61, 33, alignment));
            byte[] frames = new byte[2 * image.Planes.Sum(static plane => plane.Width * plane.Height)];
            new Random(7).NextBytes(frames);
            using var from = new MemoryStream(frames);
            using var to = new MemoryStream();
            image.ReadFrom(from);
            image.WriteTo(to);
            Assert.Equal(frames.Length / 2, from.Position);
            await image.ReadFromAsync(from, Token);
            await image.WriteToAsync(to, Token);
            Assert.Equal(frames, to.ToArray());
        }
    }

    [Fact]
    public async Task A_stream_that_is_too_short_says_so()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PlanarImage image = allocator.RentPlanar(PlanarLayout.Yuv420(4, 4), AllocationOptions.Clean);
        byte[] bytes = [.. Enumerable.Repeat((byte)1, 18)];
        Assert.Contains("2", Assert.Throws<EndOfStreamException>(() => image.ReadFrom(new MemoryStream(bytes))).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<EndOfStreamException>(async () => await image.ReadFromAsync(new MemoryStream(bytes), Token));
        Assert.Equal((1, 0), (image.Planes[0][3, 3], image.Planes[2][0, 0]));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await image.ReadFromAsync(new MemoryStream(bytes), new CancellationToken(canceled: true)));
        Assert.Throws<ArgumentNullException>(() => image.ReadFrom(null!));
        Assert.Throws<ArgumentNullException>(() => image.WriteTo(null!));
    }

    [Fact]
    public async Task A_stream_that_disposes_the_image_ends_it_before_the_next_plane()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        foreach (bool async in (bool[])[false, true])
        {
            PlanarImage read = allocator.RentPlanar(PlanarLayout.Yuv420(64, 48));
            PlanarImage written = allocator.RentPlanar(PlanarLayout.Yuv420(64, 48));
            using var from = new CollectingStream(read.Dispose);
            using var to = new CollectingStream(written.Dispose);
            await Assert.ThrowsAsync<ObjectDisposedException>(async () => await ReadAsync(read, from, async));
            await Assert.ThrowsAsync<ObjectDisposedException>(async () => await WriteAsync(written, to, async));
        }

        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().LeakedCount));

        static async Task ReadAsync(PlanarImage image, Stream from, bool async)
        {
            if (async)
            {
                await image.ReadFromAsync(from, Token);
            }
            else
            {
                image.ReadFrom(from);
            }
        }

        static async Task WriteAsync(PlanarImage image, Stream to, bool async)
        {
            if (async)
            {
                await image.WriteToAsync(to, Token);
            }
            else
            {
                image.WriteTo(to);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void A_clone_has_the_samples_and_lives_alone(string format)
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        PlanarImage image = allocator.RentPlanar(PlanarFormats.Layout(format, 101, 57, 16));
        for (int i = 0; i < image.Planes.Count; i++)
        {
            image.Planes[i].Fill((byte)(i + 1));
        }

        using (PlanarImage clone = image.Clone())
        {
            image.Dispose();
            Assert.Same(image.Layout, clone.Layout);
            for (int i = 0; i < clone.Planes.Count; i++)
            {
                clone.Planes[i].ProcessPixelRows(i + 1, static (rows, value) =>
                {
                    foreach (Span<byte> row in rows)
                    {
                        Assert.Equal(-1, row.IndexOfAnyExcept((byte)value));
                    }
                });
            }
        }

        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void A_clone_that_the_budget_refuses_leaves_nothing()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * TestSystem.BlockBytes);
        using (PlanarImage image = allocator.RentPlanar(PlanarLayout.Yuv420(256, 300)))
        {
            Assert.Throws<PixelBudgetExceededException>(() => image.Clone());
        }

        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public unsafe void A_pin_holds_all_planes()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        PlanarImage image = allocator.RentPlanar(PlanarLayout.P010(64, 48, 64));
        image.Planes[1].Fill(7);
        PlaneLayout second = image.Layout.Planes[1];
        using (PinnedPixels pin = image.Pin())
        {
            image.Dispose();
            Assert.Equal((128, 48, 128), (pin.Width, pin.Height, pin.Stride));
            Assert.Equal(7, ((byte*)pin.Pointer)[second.Offset + ((long)second.Stride * (second.Height - 1)) + second.Width - 1]);
            Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        }

        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        Assert.Throws<ObjectDisposedException>(() => image.Pin());
        Assert.Throws<ObjectDisposedException>(() => image.Clone());
        Assert.Throws<ObjectDisposedException>(() => image.WriteTo(Stream.Null));
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void What_it_would_hold_is_known_before(string format)
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        foreach (int size in (int[])[1, 50, 400])
        {
            PlanarLayout layout = PlanarFormats.Layout(format, size, size, 1);
            using PlanarImage image = allocator.RentPlanar(layout);
            Assert.InRange(image.Planes[0].HeldBytes, layout.Bytes, allocator.GetHeldBytes(layout));
        }
    }

    [Fact]
    public void Samples_of_16_bits_are_pixels()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PlanarImage image = allocator.RentPlanar(PlanarLayout.P010(64, 48));
        using PixelBuffer<ushort> luma = image.Planes[0].Cast<ushort>();
        using PixelBuffer<(ushort U, ushort V)> chroma = image.Planes[1].Cast<(ushort, ushort)>();
        Assert.Equal((64, 48, 32, 24), (luma.Width, luma.Height, chroma.Width, chroma.Height));
        chroma[31, 23] = (1 << 6, 1023 << 6);
        Assert.Equal((0x40, 0xC0, 0xFF), (image.Planes[1][124, 23], image.Planes[1][126, 23], image.Planes[1][127, 23]));
    }
}

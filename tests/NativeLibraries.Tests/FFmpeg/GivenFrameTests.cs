namespace NativeLibraries.Tests.FFmpeg;

/// <summary>Frames of FFmpeg in pooled memory: its references hold the memory, and the last one that ends, on whatever thread, returns it.</summary>
[Collection(nameof(AvUtil))]
public sealed class GivenFrameTests : IDisposable
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 64 << 20, LeakTracking = LeakTracking.Full });

    public GivenFrameTests() => NativeImports.Need(AvUtil.Library);

    /// <summary>A single pixel, odd sizes, an array, blocks.</summary>
    public static TheoryData<int, int> Sizes => new() { { 1, 1 }, { 33, 17 }, { 640, 360 }, { 1921, 1081 }, { 4096, 2160 } };

    public void Dispose() => _allocator.Dispose();

    [Theory]
    [MemberData(nameof(Sizes))]
    public void FFmpeg_reads_every_plane_after_the_image_ended(int width, int height)
    {
        using (AvFrame frame = Give(width, height))
        using (AvFrame copy = AvFrame.Allocate(width, height))
        {
            Assert.NotEqual(0, _allocator.GetStatistics().RentedBytes);
            copy.CopyFrom(frame);
            AssertPattern(copy);
        }

        AssertReleased();
    }

    [Fact]
    public void The_page_shows_how()
    {
        PixelAllocator allocator = _allocator;
        using (var frame = new AvFrame(1920, 1080))
        {
            Show(allocator, frame);
            Assert.Equal((81, 240), (frame.Row(0, 1079, 1920)[1919], frame.Row(2, 539, 960)[959]));
            Assert.Single(allocator.GetOutstandingRents());
        }

        AssertReleased();

        static void Show(PixelAllocator allocator, AvFrame frame)
        {
            #region docs/native.md
            PlanarLayout layout = PlanarLayout.Yuv420(1920, 1080, rowAlignmentBytes: 64);
            using PlanarImage image = allocator.RentPlanar(layout);
            image.Planes[0].Fill(81);
            image.Planes[1].Fill(90);
            image.Planes[2].Fill(240);

            NativePixels given = image.Pin().GiveToNative();
            for (int i = 0; i < layout.Planes.Count; i++)
            {
                frame.Data[i] = given.Address + (nint)layout.Planes[i].Offset;
                frame.LineSizes[i] = layout.Planes[i].Stride;
            }

            frame.Buffers[0] = AvUtil.CreateBuffer(given.Address, (nuint)layout.Bytes, NativePixels.ReleaseContextFirst, given.Context, flags: 0);
            if (frame.Buffers[0] == 0)
            {
                given.Release(); // FFmpeg had no memory for the reference
            }
            #endregion
        }
    }

    [Fact]
    public void References_that_end_on_many_threads_return_the_memory_once()
    {
        const int Threads = 8;
        const int Frames = 40;
        var clones = new AvFrame[Threads][];
        for (int thread = 0; thread < Threads; thread++)
        {
            clones[thread] = new AvFrame[Frames];
        }

        for (int i = 0; i < Frames; i++)
        {
            using AvFrame frame = Give(320, 180 + i);
            for (int thread = 0; thread < Threads; thread++)
            {
                clones[thread][i] = frame.Clone();
            }
        }

        Assert.Equal(Frames, _allocator.GetOutstandingRents().Count);
        Simultaneously.Run(Threads, thread =>
        {
            foreach (AvFrame clone in clones[thread])
            {
                using AvFrame another = clone.Clone();
                AssertPattern(another);
                clone.Dispose();
            }
        });
        AssertReleased();
        Assert.Equal(Frames, _allocator.GetStatistics().Rents);
    }

    [Fact]
    public void The_first_of_many_references_returns_nothing()
    {
        AvFrame frame = Give(640, 360);
        AvFrame clone = frame.Clone();
        frame.Dispose();
        Assert.Single(_allocator.GetOutstandingRents());
        AssertPattern(clone);
        clone.Dispose();
        AssertReleased();
    }

    [Fact]
    public void Planes_may_be_rents_of_their_own()
    {
        (int Width, int Height)[] sizes = [(640, 360), (320, 180), (320, 180)];
        nint luma;
        using (var frame = new AvFrame(640, 360))
        {
            for (int i = 0; i < sizes.Length; i++)
            {
                using PixelBuffer<byte> plane = _allocator.Rent<byte>(sizes[i].Width, sizes[i].Height, AllocationOptions.Contiguous);
                Draw(plane, i);
                NativePixels given = plane.Pin().GiveToNative();
                frame.Data[i] = given.Address;
                frame.LineSizes[i] = given.Stride;
                frame.Buffers[i] = AvUtil.CreateBuffer(
                    given.Address, (nuint)given.Stride * (nuint)given.Height, NativePixels.ReleaseContextFirst, given.Context, flags: 0);
            }

            AssertPattern(frame);
            luma = frame.RefPlane(0);
        }

        Assert.Single(_allocator.GetOutstandingRents());
        AvUtil.UnrefBuffer(ref luma);
        AssertReleased();
    }

    [Fact]
    public void A_shared_frame_that_is_written_to_gets_memory_of_FFmpeg()
    {
        using AvFrame frame = Give(640, 360);
        using (AvFrame written = frame.Clone())
        {
            written.MakeWritable();
            Assert.NotEqual(frame.Data[0], written.Data[0]);
            AssertPattern(written);
        }

        nint same = frame.Data[0];
        frame.MakeWritable();
        Assert.Equal(same, frame.Data[0]);
        frame.Dispose();
        AssertReleased();
    }

    [Fact]
    public void Pixels_that_FFmpeg_did_not_take_are_released_here()
    {
        using PlanarImage image = _allocator.RentPlanar(PlanarLayout.Yuv420(64, 64));
        NativePixels given = image.Pin().GiveToNative();
        AvUtil.LimitAllocations(1);
        nint buffer = AvUtil.CreateBuffer(given.Address, (nuint)image.Layout.Bytes, NativePixels.ReleaseContextFirst, given.Context, flags: 0);
        AvUtil.LimitAllocations(int.MaxValue);
        Assert.Equal(0, buffer);
        given.Release();
        image.Dispose();
        AssertReleased();
    }

    // The image ends here; only FFmpeg holds its planes.
    private AvFrame Give(int width, int height)
    {
        var frame = new AvFrame(width, height);
        PlanarLayout layout = PlanarLayout.Yuv420(width, height, rowAlignmentBytes: 64);
        using PlanarImage image = _allocator.RentPlanar(layout);
        NativePixels given = image.Pin().GiveToNative();
        for (int i = 0; i < layout.Planes.Count; i++)
        {
            Draw(image.Planes[i], i);
            frame.Data[i] = given.Address + (nint)layout.Planes[i].Offset;
            frame.LineSizes[i] = layout.Planes[i].Stride;
        }

        frame.Buffers[0] = AvUtil.CreateBuffer(given.Address, (nuint)layout.Bytes, NativePixels.ReleaseContextFirst, given.Context, flags: 0);
        return frame;
    }

    private static void Draw(PixelBuffer<byte> plane, int number) => plane.ProcessPixelRows(number, static (rows, number) =>
    {
        for (int y = 0; y < rows.Height; y++)
        {
            Span<byte> row = rows.GetRowSpan(y);
            for (int x = 0; x < row.Length; x++)
            {
                row[x] = Sample(number, x, y);
            }
        }
    });

    private static void AssertPattern(AvFrame frame)
    {
        for (int plane = 0; plane < 3; plane++)
        {
            (int width, int height) = plane == 0 ? (frame.Width, frame.Height) : ((frame.Width + 1) / 2, (frame.Height + 1) / 2);
            for (int y = 0; y < height; y++)
            {
                ReadOnlySpan<byte> row = frame.Row(plane, y, width);
                for (int x = 0; x < width; x++)
                {
                    if (row[x] != Sample(plane, x, y))
                    {
                        Assert.Fail($"plane {plane} at ({x}, {y}): {row[x]}, not {Sample(plane, x, y)}");
                    }
                }
            }
        }
    }

    private static byte Sample(int plane, int x, int y) => (byte)((x * (plane + 1)) + (y * 7));

    private void AssertReleased()
    {
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.SecondReturns, statistics.LeakedCount));
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.IdleBytes);
        Assert.Empty(_allocator.GetOutstandingRents());
    }
}

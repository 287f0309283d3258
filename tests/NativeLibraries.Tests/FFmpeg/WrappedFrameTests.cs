namespace NativeLibraries.Tests.FFmpeg;

/// <summary>Frames that FFmpeg allocated, as images: a reference of each image holds its plane, and goes with the image.</summary>
[Collection(nameof(AvUtil))]
public sealed class WrappedFrameTests : IDisposable
{
    private const int Width = 641;
    private const int Height = 359;

    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 16 << 20, LeakTracking = LeakTracking.Full });

    public WrappedFrameTests() => NativeImports.Need(AvUtil.Library);

    public void Dispose() => _allocator.Dispose();

    [Fact]
    public void The_page_shows_how()
    {
        PixelAllocator allocator = _allocator;
        AvFrame frame = AvFrame.Allocate(Width, Height);
        nint memory = frame.RefPlane(0); // FFmpeg allocates one piece for all planes

        #region docs/native.md
        using (PixelBuffer<byte> y = WrapPlane(allocator, frame, plane: 0, frame.Width, frame.Height))
        using (PixelBuffer<byte> v = WrapPlane(allocator, frame, plane: 2, (frame.Width + 1) / 2, (frame.Height + 1) / 2))
        {
            frame.Dispose(); // the images have references of their own
            y.Fill(16);
            v.Fill(128);
        }
        #endregion

        Assert.Equal(1, AvUtil.CountReferences(memory));
        AvUtil.UnrefBuffer(ref memory);
    }

    [Fact]
    public void Images_read_and_write_the_planes_in_place()
    {
        using AvFrame frame = AvFrame.Allocate(Width, Height);
        using PixelBuffer<byte> plane = WrapPlane(_allocator, frame, plane: 0, Width, Height);
        using (PinnedPixels pin = plane.Pin())
        {
            Assert.Equal((frame.Data[0], frame.LineSizes[0]), (pin.Address, pin.Stride));
        }

        plane.ProcessPixelRowsInParallel(static band =>
        {
            for (int y = 0; y < band.Height; y++)
            {
                band.GetRowSpan(y).Fill((byte)(band.FirstRow + y));
            }
        });
        for (int y = 0; y < Height; y++)
        {
            Assert.Equal(-1, frame.Row(0, y, Width).IndexOfAnyExcept((byte)y));
        }
    }

    [Fact]
    public void An_upside_down_picture_has_a_negative_stride()
    {
        using AvFrame frame = AvFrame.Allocate(Width, Height);
        frame.Data[0] += (Height - 1) * frame.LineSizes[0];
        frame.LineSizes[0] = -frame.LineSizes[0];
        using PixelBuffer<byte> plane = WrapPlane(_allocator, frame, plane: 0, Width, Height);
        plane.Fill(1);
        plane[3, 0] = 9;
        plane[4, Height - 1] = 8;
        Assert.Equal((9, 8), (frame.Row(0, 0, Width)[3], frame.Row(0, Height - 1, Width)[4]));
    }

    [Fact]
    public void A_view_holds_the_reference_and_the_last_to_end_gives_it_up()
    {
        using AvFrame frame = AvFrame.Allocate(Width, Height);
        nint luma = frame.RefPlane(0);
        int before = AvUtil.CountReferences(luma);
        PixelBuffer<byte> plane = WrapPlane(_allocator, frame, plane: 0, Width, Height);
        PixelBuffer<byte> view = plane.View(10, 10, 100, 100);
        Assert.Equal(before + 1, AvUtil.CountReferences(luma));
        plane.Dispose();
        plane.Dispose();
        Assert.Equal(before + 1, AvUtil.CountReferences(luma));
        view.Dispose();
        Assert.Equal(before, AvUtil.CountReferences(luma));
        AvUtil.UnrefBuffer(ref luma);
    }

    [Fact]
    public void Images_that_end_on_many_threads_give_up_each_reference_once()
    {
        const int Threads = 8;
        using AvFrame frame = AvFrame.Allocate(Width, Height);
        nint luma = frame.RefPlane(0);
        int before = AvUtil.CountReferences(luma);
        var images = new PixelBuffer<byte>[50];
        for (int i = 0; i < images.Length; i++)
        {
            images[i] = WrapPlane(_allocator, frame, plane: 0, Width, Height);
        }

        Assert.Equal(before + images.Length, AvUtil.CountReferences(luma));
        Simultaneously.Run(Threads, _ =>
        {
            foreach (PixelBuffer<byte> image in images)
            {
                image.Dispose();
            }
        });
        Assert.Equal(before, AvUtil.CountReferences(luma));
        AvUtil.UnrefBuffer(ref luma);
    }

    [Fact]
    public void A_frame_that_was_given_can_be_wrapped()
    {
        using AvFrame frame = new(64, 64);
        using (PixelBuffer<byte> pooled = _allocator.Rent<byte>(64, 96, AllocationOptions.Contiguous))
        {
            pooled.Fill(5);
            NativePixels given = pooled.Pin().GiveToNative();
            (frame.Data[0], frame.LineSizes[0]) = (given.Address, given.Stride);
            frame.Buffers[0] = AvUtil.CreateBuffer(given.Address, 64 * 96, NativePixels.ReleaseContextFirst, given.Context, flags: 0);
        }

        using (PixelBuffer<byte> wrapped = WrapPlane(_allocator, frame, plane: 0, 64, 64))
        {
            frame.Dispose();
            Assert.Equal(5, wrapped[63, 63]);
            Assert.NotEqual(0, _allocator.GetStatistics().RentedBytes);
        }

        Assert.Equal((0L, 0L), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().SecondReturns));
    }

    [Fact]
    public void What_is_charged_and_does_not_fit_leaves_no_reference()
    {
        using AvFrame frame = AvFrame.Allocate(4096, 4096);
        nint luma = frame.RefPlane(0);
        int before = AvUtil.CountReferences(luma);
        using (_allocator.Rent<byte>(4096, 1024))
        {
            Assert.Throws<PixelBudgetExceededException>(() => WrapPlane(_allocator, frame, plane: 0, 4096, 4096));
        }

        Assert.Equal(before, AvUtil.CountReferences(luma));
        AvUtil.UnrefBuffer(ref luma);
    }

    #region docs/native.md
    private static PixelBuffer<byte> WrapPlane(PixelAllocator allocator, AvFrame frame, int plane, int width, int height)
    {
        nint reference = frame.RefPlane(plane); // av_buffer_ref of av_frame_get_plane_buffer
        try
        {
            return allocator.Wrap<byte>(frame.Data[plane], width, height, frame.LineSizes[plane], _ => AvUtil.UnrefBuffer(ref reference), charge: true);
        }
        catch
        {
            AvUtil.UnrefBuffer(ref reference); // nothing was wrapped: Wrap calls nothing then
            throw;
        }
    }
    #endregion
}

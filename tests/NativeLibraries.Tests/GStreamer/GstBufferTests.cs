namespace NativeLibraries.Tests.GStreamer;

/// <summary>Buffers of GStreamer in pooled memory, and images in buffers of GStreamer: the last reference that ends returns the memory, once.</summary>
public sealed class GstBufferTests : IDisposable
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 64 << 20, LeakTracking = LeakTracking.Full });

    public GstBufferTests()
    {
        NativeImports.Need(Gst.Library);
        Gst.Init(0, 0);
    }

    public void Dispose() => _allocator.Dispose();

    [Fact]
    public void GStreamer_holds_all_planes_until_its_buffer_ends()
    {
        PixelAllocator allocator = _allocator;
        nint buffer = Give(allocator);
        Assert.Single(allocator.GetOutstandingRents());
        AssertBytes(buffer, 640 * 360 * 3 / 2, 128);
        Gst.Unref(buffer);
        AssertReleased();

        static nint Give(PixelAllocator allocator)
        {
            #region docs/native.md
            using PlanarImage frame = allocator.RentPlanar(PlanarLayout.Nv12(640, 360, rowAlignmentBytes: 4));
            frame.Planes[0].Fill(128);
            frame.Planes[1].Fill(128);

            NativePixels given = frame.Pin().GiveToNative();
            nuint bytes = (nuint)frame.Layout.Bytes;
            nint buffer = Gst.WrapFull(flags: 0, given.Address, bytes, offset: 0, bytes, given.Context, NativePixels.ReleaseContextFirst);
            #endregion

            return buffer;
        }
    }

    [Fact]
    public void References_and_parts_that_end_on_many_threads_return_the_memory_once()
    {
        const int Threads = 8;
        nint buffer;
        using (PixelBuffer<byte> image = _allocator.Rent<byte>(1920, 1080, AllocationOptions.Contiguous))
        {
            image.Fill(7);
            NativePixels given = image.Pin().GiveToNative();
            buffer = Gst.WrapFull(flags: 0, given.Address, 1920 * 1080, offset: 0, 1920 * 1080, given.Context, NativePixels.ReleaseContextFirst);
        }

        for (int i = 1; i < Threads; i++)
        {
            Gst.Ref(buffer);
        }

        Simultaneously.Run(Threads, thread =>
        {
            // GST_BUFFER_COPY_MEMORY: the memory is shared, not copied.
            nint part = Gst.CopyRegion(buffer, flags: 1 << 3, (nuint)thread * 1920, 1920);
            Gst.Unref(buffer);
            AssertBytes(part, 1920, 7);
            Gst.Unref(part);
        });
        AssertReleased();
    }

    [Fact]
    public void A_buffer_of_GStreamer_is_an_image_until_that_is_disposed()
    {
        nint buffer = Gst.NewBuffer(allocator: 0, 1920 * 4 * 1080, parameters: 0);
        using (PixelBuffer<uint> image = WrapBuffer(_allocator, buffer, 1920, 1080, stride: 1920 * 4))
        {
            image.Fill(0x07070707);
            Gst.Ref(buffer); // to look at it afterwards
        }

        AssertBytes(buffer, 1920 * 4 * 1080, 7);
        Gst.Unref(buffer);
        AssertReleased();
    }

    [Fact]
    public void A_buffer_that_others_hold_is_not_written_to()
    {
        nint buffer = Gst.Ref(Gst.NewBuffer(allocator: 0, 64, parameters: 0));
        Assert.Throws<InvalidOperationException>(() => WrapBuffer(_allocator, buffer, 4, 4, stride: 16));
        Gst.Unref(buffer);
    }

    #region docs/native.md
    // Takes the caller's reference over, which must be the only one: GStreamer maps no shared buffer for writing.
    private static PixelBuffer<uint> WrapBuffer(PixelAllocator allocator, nint buffer, int width, int height, int stride)
    {
        if (Gst.Map(buffer, out GstMapInfo map, Gst.MapReadWrite) == 0)
        {
            Gst.Unref(buffer);
            throw new InvalidOperationException("GStreamer does not map this buffer for writing.");
        }

        try
        {
            return allocator.Wrap<uint>(map.Data, width, height, stride, Release);
        }
        catch
        {
            Release(map.Data);
            throw;
        }

        void Release(nint address)
        {
            Gst.Unmap(buffer, ref map);
            Gst.Unref(buffer);
        }
    }
    #endregion

    private static unsafe void AssertBytes(nint buffer, int bytes, byte value)
    {
        Assert.NotEqual(0, Gst.Map(buffer, out GstMapInfo map, Gst.MapRead));
        Assert.Equal((nuint)bytes, map.Bytes);
        Assert.Equal(-1, new ReadOnlySpan<byte>((void*)map.Data, bytes).IndexOfAnyExcept(value));
        Gst.Unmap(buffer, ref map);
    }

    private void AssertReleased()
    {
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.SecondReturns, statistics.LeakedCount));
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.IdleBytes);
        Assert.Empty(_allocator.GetOutstandingRents());
    }
}

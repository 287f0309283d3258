using System.Buffers;
using PixelPool.Tests.Allocation;

namespace PixelPool.Tests.Buffers.Wrapping;

/// <summary>Memory of others has all that a rented image has, with any stride, and nothing beside the pixels is touched.</summary>
public unsafe class WrappedPixelsTests
{
    private const int Width = 13;
    private const int Height = 11;
    private const int RowBytes = 3 * Width;
    private const int PixelBytes = RowBytes * Height;

    [Theory]
    [InlineData(RowBytes)]
    [InlineData(RowBytes + 1)]
    [InlineData(64)]
    [InlineData(-RowBytes)]
    [InlineData(-47)]
    public void All_members_see_the_rows_where_they_are(int stride)
    {
        using var bitmap = new NativeBitmap(((Height - 1) * Math.Abs(stride)) + RowBytes);
        using PixelAllocator allocator = PixelAllocator.Create();
        nint address = stride > 0 ? bitmap.Address : bitmap.Address + ((Height - 1) * -stride);
        using (PixelBuffer<Rgb24> image = allocator.Wrap<Rgb24>(address, Width, Height, stride))
        {
            Assert.Equal((Width, Height, stride, 1, true), (image.Width, image.Height, image.Stride, image.BlockCount, image.IsContiguous));
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
            AssertRowsAt(address, stride);
            AssertViewsAndPins(image, address, stride);
            AssertCopies(allocator, image);
            AssertStreams(allocator, image);
            Assert.Equal(stride == RowBytes, image.TryProcessSinglePixelSpan(static pixels => Assert.Equal(Width * Height, pixels.Length)));
            Assert.Equal(PixelPattern.Expected<Rgb24>(Width, Height), Flat(image));
        }

        Assert.Equal(bitmap.Bytes.Length - PixelBytes, bitmap.CountUntouched() - PixelPattern.Expected<Rgb24>(Width, Height).Sum(CountUntouched));
    }

    [Fact]
    public void An_array_is_the_image()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        var pixels = new uint[(Width * Height) + 5];
        using (PixelBuffer<uint> image = allocator.Wrap<uint>(pixels, Width, Height))
        {
            PixelPattern.Write(image);
            GC.Collect();
            image[3, 4] = 77;
            Assert.Equal(77u, pixels[(4 * Width) + 3]);
            pixels[1] = 78;
            Assert.Equal(78u, image[1, 0]);
        }

        Assert.All(pixels[(Width * Height)..], static pixel => Assert.Equal(0u, pixel));
        using PixelBuffer<uint> part = allocator.Wrap(pixels.AsMemory(5, 6), 3, 2);
        Assert.Equal(pixels[10], part[2, 1]);
    }

    [Fact]
    public void Memory_of_an_owner_is_the_image_until_the_last_reference_ends()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        var owner = new CountingOwner(64 * Height);
        PixelBuffer<Rgb24> image = allocator.Wrap<Rgb24>(owner, Width, Height, 64);
        PixelPattern.Write(image);
        Assert.Equal((1, 0), (owner.Pins, owner.Disposals));
        PixelBuffer<Rgb24> view = image.View(1, 2, 3, 4);
        image.Dispose();
        PixelPattern.AssertHolds(view, 1, 2);
        Assert.Equal((1, 0), (owner.Pins, owner.Disposals));
        view.Dispose();
        view.Dispose();
        Assert.Equal((0, 1), (owner.Pins, owner.Disposals));
    }

    [Fact]
    public void It_is_counted_as_rented_nowhere_and_not_cleared()
    {
        using var bitmap = new NativeBitmap(PixelBytes);
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ClearOnReturn = true, MaxRentedBytes = 1 });
        using (PixelBuffer<Rgb24> image = allocator.Wrap<Rgb24>(bitmap.Address, Width, Height, RowBytes, bitmap.Release))
        {
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((0L, 0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.ExternalBytes, statistics.Rents));
            RentRecordOf(allocator);
        }

        Assert.Equal((PixelBytes, 1), (bitmap.CountUntouched(), bitmap.Releases));
        Assert.Empty(allocator.GetOutstandingRents());

        static void RentRecordOf(PixelAllocator allocator) =>
            Assert.Equal((PixelBytes, PixelPool.Diagnostics.RentKind.Memory), (Assert.Single(allocator.GetOutstandingRents()).Bytes, allocator.GetOutstandingRents()[0].Kind));
    }

    private static int CountUntouched(Rgb24 pixel) => System.Runtime.InteropServices.MemoryMarshal.AsBytes(new Span<Rgb24>(ref pixel)).Count((byte)0xA5);

    private static void AssertRowsAt(nint address, int stride)
    {
        for (int y = 0; y < Height; y++)
        {
            var row = new Span<Rgb24>((byte*)address + (y * stride), Width);
            for (int x = 0; x < Width; x++)
            {
                Assert.Equal(PixelPattern.Value<Rgb24>(x, y), row[x]);
            }
        }
    }

    private static void AssertViewsAndPins(PixelBuffer<Rgb24> image, nint address, int stride)
    {
        using PixelBuffer<Rgb24> view = image.View(2, 3, 5, 6);
        PixelPattern.AssertHolds(view, 2, 3);
        using PinnedPixels pin = view.Pin();
        Assert.Equal((address + (3 * stride) + (2 * 3), 5, 6, stride), ((nint)pin.Pointer, pin.Width, pin.Height, pin.Stride));
        int rows = 0;
        image.ProcessPixelRowsInParallel(accessor =>
        {
            for (int y = 0; y < accessor.Height; y++)
            {
                Assert.Equal(PixelPattern.Value<Rgb24>(Width - 1, accessor.FirstRow + y), accessor.GetRowSpan(y)[Width - 1]);
                Interlocked.Increment(ref rows);
            }
        });
        Assert.Equal(Height, rows);
    }

    private static void AssertCopies(PixelAllocator allocator, PixelBuffer<Rgb24> image)
    {
        using PixelBuffer<Rgb24> copy = allocator.Rent<Rgb24>(Width, Height);
        image.CopyTo(copy);
        PixelPattern.AssertHolds(copy);
        image.Clear();
        Assert.Equal(default, image[Width - 1, Height - 1]);
        copy.CopyTo(image);
        PixelPattern.AssertHolds(image);

        // Two views of it that overlap.
        using PixelBuffer<Rgb24> from = image.View(0, 0, Width, Height - 1);
        using PixelBuffer<Rgb24> to = image.View(0, 1, Width, Height - 1);
        from.CopyTo(to);
        PixelPattern.AssertHolds(to);
        PixelPattern.Write(image);
    }

    private static void AssertStreams(PixelAllocator allocator, PixelBuffer<Rgb24> image)
    {
        using var stream = new MemoryStream();
        image.WriteTo(stream);
        stream.Position = 0;
        using PixelBuffer<Rgb24> read = allocator.Rent<Rgb24>(Width, Height);
        read.ReadFrom(stream);
        PixelPattern.AssertHolds(read);
        Assert.Equal(stream.ToArray(), image.AsReadOnlySequence().ToArray());
    }

    private static Rgb24[] Flat(PixelBuffer<Rgb24> image)
    {
        var pixels = new Rgb24[Width * Height];
        image.CopyTo(pixels);
        return pixels;
    }
}

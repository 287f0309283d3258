using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers;

/// <summary>The same memory as other pixels.</summary>
public class CastTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Rows_are_their_bytes(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier))
        {
            PixelPattern.Write(image);
            using PixelBuffer<byte> bytes = image.Cast<byte>();
            Assert.Equal((image.Width * 4, image.Height, image.Stride), (bytes.Width, bytes.Height, bytes.Stride));
            for (int y = 0; y < image.Height; y++)
            {
                Assert.True(MemoryMarshal.AsBytes(image.DangerousGetRowSpan(y)).SequenceEqual(bytes.DangerousGetRowSpan(y)));
            }

            bytes.Fill(1);
            Assert.Equal(0x01010101u, image[image.Width - 1, image.Height - 1]);
            using PixelBuffer<uint> again = bytes.Cast<uint>();
            PixelPattern.Write(again);
            PixelPattern.AssertHolds(image);
        }

        TierSizes.AssertQuiet(allocator);
    }

    /// <summary>Their pixels begin anywhere.</summary>
    [Fact]
    public void Views_are_cast_as_images_are()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> image = allocator.Rent<byte>(1000, 300, AllocationOptions.Clean);
        using PixelBuffer<byte> view = image.View(3, 250, 12, 20);
        using PixelBuffer<Rgb24> colours = view.Cast<Rgb24>();
        using PixelBuffer<uint> words = colours.Cast<uint>();
        Assert.Equal((4, 3, 20), (colours.Width, words.Width, words.Height));
        words.Fill(0x04030201);
        Assert.Equal([0, 1, 2, 3, 4, 1], new[] { 2, 3, 4, 5, 6, 7 }.Select(x => image[x, 269]));
        Assert.Equal((4, 0), (image[14, 269], image[15, 269]));
        Assert.Equal(0, image[3, 249]);
        Assert.Equal(new Rgb24(2, 3, 4), colours[3, 0]);
    }

    [Fact]
    public void The_memory_lives_as_long_as_the_last_of_them()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        image.Fill(0x02020202);
        PixelBuffer<byte> bytes = image.Cast<byte>();
        image.Dispose();
        Assert.Equal(2, bytes[bytes.Width - 1, bytes.Height - 1]);
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        bytes.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Bytes_that_are_left_over_are_an_error()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using (PixelBuffer<Rgb24> image = allocator.Rent<Rgb24>(5, 10))
        {
            Assert.Equal(
                "A row of 5 pixels of 3 bytes is 15 bytes: no whole number of pixels of 4 bytes.",
                Assert.Throws<InvalidMemoryOperationException>(() => image.Cast<uint>()).Message);
            Assert.Throws<InvalidMemoryOperationException>(() => image.AsLease().Cast<ulong>());
        }

        using (PixelBuffer<byte> image = allocator.Rent<byte>(1, 10))
        {
            Assert.Equal(
                "A row of 1 pixel of 1 byte is 1 byte: no whole number of pixels of 2 bytes.",
                Assert.Throws<InvalidMemoryOperationException>(() => image.Cast<ushort>()).Message);
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void What_was_disposed_is_not_cast()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> image = allocator.Rent<uint>(5, 10);
        PixelLease<uint> lease = allocator.Lease<uint>(5, 10);
        image.Dispose();
        lease.Dispose();
        Assert.Throws<ObjectDisposedException>(() => image.Cast<byte>());
        Assert.Throws<ObjectDisposedException>(() => lease.Cast<byte>());
        Assert.Throws<ObjectDisposedException>(() => default(PixelLease<uint>).Cast<byte>());
    }

    /// <summary>It ends with the lease, and need not be disposed.</summary>
    [Fact]
    public void A_lease_is_cast_without_an_object()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelLease<uint> lease = allocator.Lease<uint>(5, 10);
        PixelLease<byte> bytes = lease.Cast<byte>();
        bytes.Fill(3);
        bytes.Dispose();
        Assert.Equal(0x03030303u, lease[4, 9]);
        AllocationMeter.AssertAllocates(0, () => lease.Cast<byte>()[0, 0] = 1);
        lease.Dispose();
        Assert.True(bytes.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => bytes[0, 0]);
        TierSizes.AssertQuiet(allocator);
    }

    /// <summary>Images that share bytes are found, whatever their pixels are.</summary>
    [Fact]
    public void A_filter_does_not_read_what_it_writes()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<uint> image = allocator.Rent<uint>(6, 10);
        using PixelBuffer<byte> bytes = image.Cast<byte>();
        using PixelBuffer<byte> left = bytes.View(0, 0, 13, 10);
        using PixelBuffer<byte> right = bytes.View(12, 0, 12, 10);
        using PixelBuffer<uint> last = right.Cast<uint>();
        Assert.Throws<ArgumentException>(() => image.FilterPixelRows(bytes, static (_, _) => { }));
        Assert.Throws<ArgumentException>(() => last.FilterPixelRows(left, static (_, _) => { }));
        using PixelBuffer<byte> less = left.View(0, 0, 12, 10);
        last.FilterPixelRows(less, static (_, _) => { });
    }

    [Fact]
    public void Memory_of_others_is_cast()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        ushort[] pixels = [1, 2, 3, 4, 5, 6, 7, 8];
        using PixelBuffer<ushort> image = allocator.Wrap(pixels.AsMemory(), 4, 2);
        using PixelBuffer<ulong> wide = image.Cast<ulong>();
        wide[0, 1] = 0;
        Assert.Equal([1, 2, 3, 4, 0, 0, 0, 0], pixels);
    }
}

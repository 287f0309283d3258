namespace Everywhere.Exercise;

/// <summary>Images that are structs.</summary>
internal static class Leases
{
    public static void EveryMemberWorks()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using (PixelLease<uint> lease = allocator.Lease<uint>(1100, 1000, AllocationOptions.Contiguous))
        {
            Checks.Equal((1100, 1000, 4400, 1, true, false), (lease.Width, lease.Height, lease.Stride, lease.BlockCount, lease.IsContiguous, lease.IsDisposed));
            Checks.True(lease.RowsPerBlock > 0 && lease.HeldBytes >= 4_400_000, lease.ToString());
            Fill(lease);
            Copy(lease);
            Process(lease);
            Share(lease);
        }

        Checks.Equal(true, allocator.TryLease(10, 10, out PixelLease<uint> tried));
        tried.Dispose();
        allocator.LeaseAsync<uint>(10, 10).AsTask().GetAwaiter().GetResult().Dispose();
        Checks.NothingIsLeft(allocator);
    }

    private static void Fill(PixelLease<uint> lease)
    {
        lease.Fill(7);
        Checks.Equal(7u, lease[1099, 999]);
        lease.Clear();
        Checks.Equal(0u, lease[1099, 999]);
        PixelLease<uint> same = lease;
        same[3, 4] = 5;
        Checks.Equal(5u, lease[3, 4]);
    }

    private static void Copy(PixelLease<uint> lease)
    {
        lease.Fill(9);
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelLease<uint> other = allocator.Lease<uint>(1100, 1000);
        lease.CopyTo(other);
        Checks.Equal(9u, other[1099, 999]);
        lease.Fill(11);
        other.CopyFrom(lease);
        Checks.Equal(11u, other[1099, 999]);
        using PixelLease<uint> part = lease.View(1, 2, 3, 4);
        var pixels = new uint[12];
        var wide = new uint[20];
        var bytes = new byte[4 * 20];
        part.CopyTo(pixels);
        part.CopyTo(wide, 5);
        part.CopyTo(bytes, 20);
        Checks.Equal((11u, 11u, (byte)11), (pixels[11], wide[15], bytes[60]));
        pixels[11] = wide[16] = 13;
        part.CopyFrom(pixels);
        Checks.Equal(13u, part[2, 3]);
        part.CopyFrom(wide, 5);
        Checks.Equal(13u, part[1, 3]);
        bytes[68] = 17;
        part.CopyFrom(bytes, 20);
        Checks.Equal(17u, part[2, 3]);
    }

    private static void Process(PixelLease<uint> lease)
    {
        using PixelLease<byte> other = CastAndHold(lease);
        int[] rows = new int[1];
        lease.ProcessPixelRows(pixels => rows[0] += pixels.Height);
        lease.ProcessPixelRows(rows, static (pixels, rows) => rows[0] += pixels.Height);
        lease.ProcessPixelRows(other, (pixels, bytes) => rows[0] += pixels.Height + bytes.Height);
        lease.ProcessPixelRows(other, rows, static (pixels, bytes, rows) => rows[0] += pixels.Height + bytes.Height);
        lease.ProcessPixelRows(other, lease, (pixels, bytes, third) => rows[0] += pixels.Height + bytes.Height + third.Height);
        lease.ProcessPixelRows(other, lease, rows, static (pixels, bytes, third, rows) => rows[0] += pixels.Height + bytes.Height + third.Height);
        lease.ProcessPixelRows([other, other], rows, static (pixels, others, rows) => rows[0] += pixels.Height + others[1].Height);
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelLease<byte> source = allocator.Lease<byte>(1100, 1000);
        lease.FilterPixelRows(source, (band, source) => rows[0] += band.Height + source.Height);
        lease.FilterPixelRows(source, rows, static (band, source, rows) => rows[0] += band.Height + source.Height);
        Checks.Equal(18_000, rows[0]);
        Checks.Equal(lease.IsContiguous, lease.TryProcessSinglePixelSpan(pixels => rows[0] = pixels.Length));
        Checks.Equal(lease.IsContiguous ? 1_100_000 : 18_000, rows[0]);
    }

    private static PixelLease<byte> CastAndHold(PixelLease<uint> lease) => lease.Cast<byte>();

    private static void Share(PixelLease<uint> lease)
    {
        using PixelBuffer<uint> image = lease.AsBuffer();
        using PixelLease<uint> again = image.AsLease();
        image[5, 6] = 19;
        Checks.Equal(19u, again[5, 6]);
        using PixelLease<uint> part = lease.View(0, 0, 100, 100);
        using PinnedPixels pin = part.Pin();
        Checks.Equal(pin.Address, part.DangerousGetAddress());
    }
}

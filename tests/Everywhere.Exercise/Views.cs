using System.Runtime.InteropServices;

namespace Everywhere.Exercise;

/// <summary>Images that share their memory with others, and copies.</summary>
internal static class Views
{
    public static void ShareMemoryAndKeepIt()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        PixelBuffer<uint> image = allocator.Rent<uint>(2000, 1500);
        Pattern.Write(image, 1);
        using (PixelBuffer<uint> view = image.View(10, 20, 30, 40))
        using (PixelBuffer<byte> bytes = image.Cast<byte>())
        using (PixelBuffer<uint> plane = image.AsSubsampledPlane(2))
        using (ReadOnlyPixelBuffer<uint> read = image.AsReadOnly().View(10, 20, 30, 40))
        using (ReadOnlyPixelBuffer<byte> readBytes = read.Cast<byte>())
        {
            image.Dispose();
            Checks.Equal((true, false), (image.IsDisposed, view.IsDisposed));
            Checks.Equal(Pattern.At(15, 26, 1), view[5, 6]);
            Checks.Equal(Pattern.At(15, 26, 1), read[5, 6]);
            Checks.Equal((byte)Pattern.At(1999, 1499, 1), bytes[4 * 1999, 1499]);
            Checks.Equal((byte)Pattern.At(15, 26, 1), readBytes[20, 6]);
            Checks.Equal((30, 40, 8000, false), (read.Width, read.Height, read.Stride, read.IsDisposed));
            Checks.Equal(1500, plane.Height);
            Checks.Equal(view.IsContiguous, read.IsContiguous);
            Checks.True(allocator.GetStatistics().RentedBytes > 0, "views hold nothing");
        }

        Checks.NothingIsLeft(allocator);
    }

    public static void AreCopied()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelBuffer<uint> image = allocator.Rent<uint>(1100, 1000);
        using PixelBuffer<uint> other = allocator.Rent<uint>(1100, 1000);
        Pattern.Write(image, 2);
        image.CopyTo(other);
        Pattern.Check(other, 2);
        other.Clear();
        other.CopyFrom(image);
        Pattern.Check(other, 2);
        ReadOnlyPixelBuffer<uint> read = image;
        other.Fill(0);
        read.CopyTo(other);
        Pattern.Check(other, 2);
        using (PixelBuffer<uint> clone = read.Clone())
        {
            Pattern.Check(clone, 2);
        }

        using PixelBuffer<uint> part = image.View(1, 2, 3, 4);
        ReadOnlyPixelBuffer<uint> readPart = part;
        var pixels = new uint[12];
        var wide = new uint[20];
        var bytes = new byte[80];
        part.CopyTo(pixels);
        part.CopyTo(wide, 5);
        part.CopyTo(bytes, 20);
        Checks.Equal((part[2, 3], part[2, 3], (byte)part[2, 3]), (pixels[11], wide[17], bytes[68]));
        readPart.CopyTo(pixels);
        readPart.CopyTo(wide, 5);
        readPart.CopyTo(bytes, 20);
        pixels[11]++;
        part.CopyFrom(pixels);
        Checks.Equal(pixels[11], part[2, 3]);
        part.CopyFrom(wide, 5);
        Checks.Equal(wide[17], part[2, 3]);
        bytes[68]++;
        part.CopyFrom(bytes, 20);
        Checks.Equal(bytes[68], MemoryMarshal.AsBytes(part.DangerousGetRowSpan(3))[8]);
    }

    public static void SpansAreWhereTheRowsAre()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelBuffer<uint> image = allocator.Rent<uint>(1000, 500, AllocationOptions.Contiguous);
        Pattern.Write(image, 4);
        Checks.Equal(true, image.DangerousTryGetSinglePixelMemory(out Memory<uint> all));
        Checks.Equal((500_000, Pattern.At(3, 2, 4)), (all.Length, all.Span[2003]));
        Checks.Equal(Pattern.At(3, 2, 4), image.DangerousGetRowMemory(2).Span[3]);
        Checks.Equal(true, image.TryProcessSinglePixelSpan(static pixels => Checks.Equal(Pattern.At(3, 2, 4), pixels[2003])));
        image.ProcessPixelRows(static rows =>
        {
            int y = 0;
            foreach (Span<uint> row in rows)
            {
                Checks.True(row.Length == rows.Width && row[7] == rows[7, y++], "rows are not where pixels are");
            }

            Checks.Equal(rows.Height, y);
        });
    }
}

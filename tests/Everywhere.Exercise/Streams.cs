using System.Buffers;

namespace Everywhere.Exercise;

/// <summary>Pixels as bytes of streams, and streams of rented bytes.</summary>
internal static class Streams
{
    public static void CarryImages()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelBuffer<uint> image = allocator.Rent<uint>(1100, 1000);
        using PixelBuffer<uint> other = allocator.Rent<uint>(1100, 1000);
        ReadOnlyPixelBuffer<uint> read = image;
        Pattern.Write(image, 11);
        using var bytes = new PixelPoolStream(allocator);
        image.WriteTo(bytes);
        CheckRead(bytes, other);
        image.WriteToAsync(bytes).AsTask().GetAwaiter().GetResult();
        bytes.Position = 0;
        other.ReadFromAsync(bytes).AsTask().GetAwaiter().GetResult();
        Pattern.Check(other, 11);
        bytes.SetLength(0);
        read.WriteTo(bytes);
        CheckRead(bytes, other);
        read.WriteToAsync(bytes).AsTask().GetAwaiter().GetResult();
        CheckRead(bytes, other);
        using (Stream pixels = image.AsStream())
        {
            pixels.CopyTo(bytes);
        }

        CheckRead(bytes, other);
        using (Stream pixels = read.AsStream())
        {
            Checks.Equal((false, 4_400_000L), (pixels.CanWrite, pixels.Length));
            pixels.CopyTo(bytes);
        }

        CheckRead(bytes, other);
        Checks.Equal((4_400_000L, 4_400_000L), (image.AsReadOnlySequence().Length, read.AsReadOnlySequence().Length));
    }

    public static void AreRented()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using (var scope = new RentScope(allocator))
        using (var stream = new PixelPoolStream(scope, capacity: 1000))
        {
            Checks.True(stream.Capacity >= 1000, "there is no room");
            stream.GetSpan(4)[0] = 1;
            stream.Advance(1);
            stream.GetMemory(4).Span[0] = 2;
            stream.Advance(1);
            stream.WriteByte(3);
            var many = new byte[3_000_000];
            many[2_999_999] = 9;
            stream.Write(many, 0, many.Length);
            stream.Flush();
            Checks.Equal((3_000_003L, 3_000_003L), (stream.Length, stream.AsReadOnlySequence().Length));
            byte[] all = stream.ToArray();
            Checks.Equal((1, 2, 3, 9), ((int)all[0], (int)all[1], (int)all[2], (int)all[3_000_002]));
            stream.Seek(-1, SeekOrigin.End);
            Checks.Equal((9, -1), (stream.ReadByte(), stream.ReadByte()));
            Checks.Equal((true, true, true), (stream.CanRead, stream.CanWrite, stream.CanSeek));
        }

        Checks.NothingIsLeft(allocator);
    }

    private static void CheckRead(PixelPoolStream bytes, PixelBuffer<uint> other)
    {
        bytes.Position = 0;
        other.Clear();
        other.ReadFrom(bytes);
        Pattern.Check(other, 11);
        bytes.SetLength(0);
    }
}

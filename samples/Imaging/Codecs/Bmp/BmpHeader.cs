using System.Buffers.Binary;

namespace Imaging.Codecs.Bmp;

/// <summary>BITMAPFILEHEADER and BITMAPINFOHEADER, the two headers of the format.</summary>
/// <param name="IsTopDown">Whether the first row of the file is the upper one. Usually it is the lower one.</param>
/// <param name="PixelOffset">Where in the file the pixels begin.</param>
internal readonly record struct BmpHeader(int Width, int Height, bool IsTopDown, int PixelOffset)
{
    /// <summary>Of both headers.</summary>
    public const int Length = FileHeaderBytes + InfoHeaderBytes;

    private const int FileHeaderBytes = 14;
    private const int InfoHeaderBytes = 40;
    private const int BitsPerPixel = 24;

    public static ReadOnlySpan<byte> Signature => "BM"u8;

    /// <summary>Rows begin on multiples of four bytes.</summary>
    public int RowBytes => ((Width * (BitsPerPixel / 8)) + 3) & ~3;

    public long FileBytes => PixelOffset + ((long)RowBytes * Height);

    public static BmpHeader Read(ReadOnlySpan<byte> file)
    {
        if (file.Length < Length)
        {
            throw new InvalidDataException("The file ends in the middle of the header.");
        }

        int infoBytes = BinaryPrimitives.ReadInt32LittleEndian(file[14..]);
        int bitsPerPixel = BinaryPrimitives.ReadUInt16LittleEndian(file[28..]);
        int compression = BinaryPrimitives.ReadInt32LittleEndian(file[30..]);
        if (infoBytes < InfoHeaderBytes || bitsPerPixel != BitsPerPixel || compression != 0)
        {
            throw new NotSupportedException("BMP files of other kinds than 24 bits a pixel, not compressed, are not supported.");
        }

        // A negative height says that the upper row comes first.
        long height = BinaryPrimitives.ReadInt32LittleEndian(file[22..]);
        int width = BinaryPrimitives.ReadInt32LittleEndian(file[18..]);
        ImageDimensions.Check(width, Math.Abs(height));
        int pixelOffset = BinaryPrimitives.ReadInt32LittleEndian(file[10..]);
        return pixelOffset >= Length
            ? new BmpHeader(width, (int)Math.Abs(height), IsTopDown: height < 0, pixelOffset)
            : throw new InvalidDataException("The header says that the pixels begin within it.");
    }

    public void WriteTo(Span<byte> header)
    {
        header.Clear();
        Signature.CopyTo(header);
        BinaryPrimitives.WriteUInt32LittleEndian(header[2..], (uint)FileBytes);
        BinaryPrimitives.WriteInt32LittleEndian(header[10..], PixelOffset);
        BinaryPrimitives.WriteInt32LittleEndian(header[14..], InfoHeaderBytes);
        BinaryPrimitives.WriteInt32LittleEndian(header[18..], Width);
        BinaryPrimitives.WriteInt32LittleEndian(header[22..], IsTopDown ? -Height : Height);
        header[26] = 1;
        header[28] = BitsPerPixel;
    }
}

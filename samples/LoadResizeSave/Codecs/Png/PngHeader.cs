using System.Buffers.Binary;

namespace LoadResizeSave.Codecs.Png;

/// <summary>The IHDR chunk.</summary>
internal readonly record struct PngHeader(int Width, int Height, PngColorType ColorType)
{
    public const int Length = 13;
    private const byte BitDepth = 8;

    public int BytesPerPixel => ColorType switch
    {
        PngColorType.Rgb => 3,
        PngColorType.Rgba => 4,
        PngColorType.GreyAlpha => 2,
        _ => 1,
    };

    /// <summary>Without the byte in front that names the filter.</summary>
    public int RowBytes => Width * BytesPerPixel;

    public static PngHeader Read(PngChunk chunk)
    {
        ReadOnlySpan<byte> data = chunk.Data.Span;
        if (chunk.Type != PngChunkType.Header || data.Length != Length)
        {
            throw new InvalidDataException("The header is missing.");
        }

        uint width = BinaryPrimitives.ReadUInt32BigEndian(data);
        uint height = BinaryPrimitives.ReadUInt32BigEndian(data[4..]);
        ImageDimensions.Check(width, height);

        var colorType = (PngColorType)data[9];
        if (!Enum.IsDefined(colorType) || data[10] != 0 || data[11] != 0 || data[12] > 1)
        {
            throw new InvalidDataException("The header has values that the format does not know.");
        }

        if (data[8] != BitDepth)
        {
            throw new NotSupportedException($"PNG files with {data[8]} bits a sample are not supported, only 8.");
        }

        if (data[12] != 0)
        {
            throw new NotSupportedException("Interlaced PNG files are not supported.");
        }

        return new PngHeader((int)width, (int)height, colorType);
    }

    /// <summary>The header of an RGB image without interlacing.</summary>
    public void WriteTo(Span<byte> data)
    {
        data.Clear();
        BinaryPrimitives.WriteInt32BigEndian(data, Width);
        BinaryPrimitives.WriteInt32BigEndian(data[4..], Height);
        data[8] = BitDepth;
        data[9] = (byte)ColorType;
    }
}

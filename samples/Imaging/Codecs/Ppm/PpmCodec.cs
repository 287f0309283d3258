using System.Runtime.InteropServices;
using System.Text;
using Imaging.Memory;

namespace Imaging.Codecs.Ppm;

/// <summary>Binary portable pixmaps (P6) with 8 bits a sample: a short text header, then the pixels as they are.</summary>
internal sealed class PpmCodec : IImageCodec
{
    public string Name => "ppm";

    public IReadOnlyList<string> Extensions { get; } = [".ppm"];

    public CodecLibrary? Library => null;

    public PixelLayout EncodeLayout => PixelLayout.Rows;

    public bool Recognizes(ReadOnlySpan<byte> file) => file.StartsWith("P6"u8);

    public Image<Rgb24> Decode(ReadOnlyMemory<byte> file, ImageMemory memory)
    {
        PpmHeader header = PpmHeader.Read(file.Span);
        ImageDimensions.Check(header.Width, header.Height);
        if (header.MaxValue is < 1 or > ushort.MaxValue)
        {
            throw new InvalidDataException($"The header says that samples go up to {header.MaxValue}.");
        }

        if (header.MaxValue != byte.MaxValue)
        {
            throw new NotSupportedException($"PPM files with samples up to {header.MaxValue} are not supported, only up to 255.");
        }

        ReadOnlyMemory<byte> pixels = file[header.Length..];
        if (pixels.Length / 3 < (long)header.Width * header.Height)
        {
            throw new InvalidDataException("The file ends in the middle of the pixels.");
        }

        Image<Rgb24> image = memory.Rent<Rgb24>(header.Width, header.Height);
        image.ProcessRows(pixels, static (rows, pixels) =>
        {
            ReadOnlySpan<Rgb24> source = MemoryMarshal.Cast<byte, Rgb24>(pixels.Span);
            for (int y = 0; y < rows.Height; y++)
            {
                source.Slice(y * rows.Width, rows.Width).CopyTo(rows[y]);
            }
        });
        return image;
    }

    public void Encode(Image<Rgb24> image, Stream destination, ImageMemory memory)
    {
        destination.Write(Encoding.ASCII.GetBytes($"P6\n{image.Width} {image.Height}\n255\n"));
        image.ProcessRows(destination, static (rows, destination) =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                destination.Write(MemoryMarshal.AsBytes(rows[y]));
            }
        });
    }
}

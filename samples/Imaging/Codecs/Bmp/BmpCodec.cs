using System.Buffers;
using Imaging.Memory;

namespace Imaging.Codecs.Bmp;

/// <summary>Windows bitmaps of 24 bits a pixel: blue, green, red, the lowest row first. Every viewer knows them, and nothing is needed to write them.</summary>
internal sealed class BmpCodec : IImageCodec
{
    public string Name => "bmp";

    public IReadOnlyList<string> Extensions { get; } = [".bmp"];

    public CodecLibrary? Library => null;

    public PixelLayout EncodeLayout => PixelLayout.Rows;

    public bool Recognizes(ReadOnlySpan<byte> file) => file.StartsWith(BmpHeader.Signature);

    public Image<Rgb24> Decode(ReadOnlyMemory<byte> file, ImageMemory memory)
    {
        BmpHeader header = BmpHeader.Read(file.Span);
        if (file.Length < header.FileBytes)
        {
            throw new InvalidDataException("The file ends in the middle of the pixels.");
        }

        Image<Rgb24> image = memory.Rent<Rgb24>(header.Width, header.Height);
        image.ProcessRows((Header: header, Pixels: file[header.PixelOffset..]), static (rows, file) =>
        {
            for (int i = 0; i < rows.Height; i++)
            {
                ReadOnlySpan<byte> source = file.Pixels.Span.Slice(i * file.Header.RowBytes, file.Header.RowBytes);
                Span<Rgb24> row = rows[file.Header.IsTopDown ? i : rows.Height - 1 - i];
                for (int x = 0; x < row.Length; x++)
                {
                    row[x] = new Rgb24(source[(3 * x) + 2], source[(3 * x) + 1], source[3 * x]);
                }
            }
        });
        return image;
    }

    public void Encode(Image<Rgb24> image, Stream destination, ImageMemory memory)
    {
        var header = new BmpHeader(image.Width, image.Height, IsTopDown: false, BmpHeader.Length);
        Span<byte> headerBytes = stackalloc byte[BmpHeader.Length];
        header.WriteTo(headerBytes);
        destination.Write(headerBytes);

        using IMemoryOwner<byte> fileRow = memory.RentBytes(header.RowBytes);
        fileRow.Memory.Span.Clear();
        image.ProcessRows((destination, fileRow.Memory), static (rows, file) =>
        {
            (Stream destination, Memory<byte> memory) = file;
            Span<byte> fileRow = memory.Span;
            for (int y = rows.Height - 1; y >= 0; y--)
            {
                Span<Rgb24> row = rows[y];
                for (int x = 0; x < row.Length; x++)
                {
                    (fileRow[3 * x], fileRow[(3 * x) + 1], fileRow[(3 * x) + 2]) = (row[x].B, row[x].G, row[x].R);
                }

                destination.Write(fileRow);
            }
        });
    }
}

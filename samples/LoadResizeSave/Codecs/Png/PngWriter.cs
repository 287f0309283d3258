using System.IO.Compression;
using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs.Png;

/// <summary>Writes an RGB image of 8 bits a sample.</summary>
internal static class PngWriter
{
    public static void Write(Image<Rgb24> image, Stream destination, ImageMemory memory)
    {
        var header = new PngHeader(image.Width, image.Height, PngColorType.Rgb);
        Span<byte> headerData = stackalloc byte[PngHeader.Length];
        header.WriteTo(headerData);

        destination.Write(PngFormat.Signature);
        PngChunkWriter.Write(destination, PngChunkType.Header, headerData);
        WritePixels(image, header, destination, memory);
        PngChunkWriter.Write(destination, PngChunkType.End, []);
    }

    private static void WritePixels(Image<Rgb24> image, PngHeader header, Stream destination, ImageMemory memory)
    {
        using var imageData = new PngImageDataWriter(destination, memory);
        using (var deflated = new ZLibStream(imageData, CompressionLevel.Optimal, leaveOpen: true))
        {
            using var writer = new PngRowWriter(header.RowBytes, deflated, memory);
            using Image<Rgb24> zeros = memory.Rent<Rgb24>(image.Width, 1);
            zeros.ProcessRows(0, static (rows, _) => rows[0].Clear());
            image.ProcessRows(zeros, writer, static (rows, zeros, writer) =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    writer.WriteRow(rows[y], y == 0 ? zeros[0] : rows[y - 1]);
                }
            });
        }

        imageData.Finish();
    }
}

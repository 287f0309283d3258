using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs.Png;

/// <summary>Reads a file: header, perhaps a palette, then the rows into an image.</summary>
internal static class PngReader
{
    public static Image<Rgb24> Read(ReadOnlyMemory<byte> file, ImageMemory memory)
    {
        var chunks = new PngChunkReader(file);
        PngHeader header = PngHeader.Read(chunks.Next());
        if ((header.RowBytes + 1L) * header.Height > (long)file.Length * PngFormat.MaxCompressionRatio)
        {
            throw new InvalidDataException($"The file is too small to hold the {header.Width} × {header.Height} pixels its header says.");
        }

        PngPalette? palette = ReadPalette(chunks, header, out PngChunk firstImageData);
        using var imageData = new PngImageDataReader(chunks, firstImageData);
        using var reader = new PngRowReader(header, palette, imageData, memory);
        Image<Rgb24> image = memory.Rent<Rgb24>(header.Width, header.Height);
        try
        {
            image.ProcessRows(reader, static (rows, reader) =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    reader.ReadRow(rows[y]);
                }
            });
            reader.ExpectEnd();
            imageData.ReadToEndOfFile();
            return image;
        }
        catch
        {
            image.Dispose();
            throw;
        }
    }

    private static PngPalette? ReadPalette(PngChunkReader chunks, PngHeader header, out PngChunk firstImageData)
    {
        ReadOnlyMemory<byte> colors = default;
        ReadOnlyMemory<byte> transparency = default;
        for (PngChunk chunk = chunks.Next(); ; chunk = chunks.Next())
        {
            switch (chunk.Type)
            {
                case PngChunkType.Palette:
                    colors = chunk.Data;
                    break;

                case PngChunkType.Transparency:
                    transparency = chunk.Data;
                    break;

                case PngChunkType.End:
                    throw new InvalidDataException("There are no pixels.");

                case PngChunkType.ImageData:
                    firstImageData = chunk;
                    return header.ColorType == PngColorType.Palette ? new PngPalette(colors.Span, transparency.Span) : null;
            }
        }
    }
}

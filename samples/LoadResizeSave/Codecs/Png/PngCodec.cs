using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs.Png;

/// <summary>PNG without interlacing, 8 bits a sample, row by row into whichever blocks the pool has.</summary>
internal sealed class PngCodec : IImageCodec
{
    public string Name => "png";

    public IReadOnlyList<string> Extensions { get; } = [".png"];

    public PixelLayout EncodeLayout => PixelLayout.Rows;

    public bool Recognizes(ReadOnlySpan<byte> file) => file.StartsWith(PngFormat.Signature);

    public Image<Rgb24> Decode(ReadOnlyMemory<byte> file, ImageMemory memory) => PngReader.Read(file, memory);

    public void Encode(Image<Rgb24> image, Stream destination, ImageMemory memory) => PngWriter.Write(image, destination, memory);
}

using System.IO.Compression;
using LoadResizeSave.Codecs;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Codecs;

/// <summary>Files made here by the letter of the specification, against what the decoder sees in them.</summary>
public class PngDecodingTests
{
    private const int Filters = 5;

    private static readonly byte[] s_palette = PngSamples.Random(256, 1, colorType: 2, seed: 7).Bytes;

    // Colours behind the last one are opaque.
    private static readonly byte[] s_transparency = PngSamples.Random(200, 1, colorType: 0, seed: 8).Bytes;

    public static TheoryData<byte> ColorTypes => [0, 2, 3, 4, 6];

    [Theory]
    [MemberData(nameof(ColorTypes))]
    public void Every_filter_is_undone(byte colorType)
    {
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (1, 7), (9, 1), (13, 11), (67, 5)])
        {
            PngSamples samples = PngSamples.Random(width, height, colorType, seed: width);
            for (int filter = 0; filter < Filters; filter++)
            {
                AssertDecodes(samples, samples.Filtered(_ => filter), imageDataChunks: 1);
            }
        }
    }

    [Theory]
    [MemberData(nameof(ColorTypes))]
    public void Every_row_has_a_filter_of_its_own(byte colorType)
    {
        PngSamples samples = PngSamples.Random(23, 3 * Filters * Filters, colorType, seed: 3);

        // Every filter follows every other one.
        AssertDecodes(samples, samples.Filtered(y => ((y * y / Filters) + y) % Filters), imageDataChunks: 1);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(7)]
    [InlineData(int.MaxValue)] // one byte in each
    public void Compressed_rows_may_be_cut_anywhere(int imageDataChunks)
    {
        PngSamples samples = PngSamples.Random(15, 9, colorType: 2, seed: 4);
        byte[] rows = samples.Filtered(y => y % Filters);
        AssertDecodes(samples, rows, Math.Min(imageDataChunks, PngFile.Compressed(rows).Length));
    }

    [Fact]
    public void Compressed_rows_may_end_anywhere_in_a_buffer_of_the_decompressor()
    {
        const int BufferBytes = 8192;
        var lengths = new HashSet<int>();
        for (int width = BufferBytes - 30; width < BufferBytes; width++)
        {
            PngSamples samples = PngSamples.Random(width, 1, colorType: 0, seed: width);
            byte[] rows = samples.Filtered(_ => 0);
            PngFile file = FileOf(samples, rows) with { ImageData = PngFile.Compressed(rows, CompressionLevel.NoCompression) };
            Assert.Equal(samples.Colors(), ImageCodecs.Png.Decode(file.ToArray()).Bytes);
            lengths.Add(file.ImageData.Length);
        }

        Assert.Superset(Enumerable.Range(BufferBytes - 5, 11).ToHashSet(), lengths);
    }

    [Fact]
    public void Colours_of_a_palette_are_opaque_unless_the_file_says_otherwise()
    {
        PngSamples samples = PngSamples.Random(16, 16, colorType: 3, seed: 5);
        PngFile file = FileOf(samples, samples.Filtered(_ => 0)) with { Transparency = null };
        Assert.Equal(samples.Colors(s_palette, transparency: []), ImageCodecs.Png.Decode(file.ToArray()).Bytes);
    }

    [Fact]
    public void An_image_in_several_blocks_is_read_like_one_in_one_piece()
    {
        PngSamples samples = PngSamples.Random(211, 401, colorType: 6, seed: 6);
        byte[] file = FileOf(samples, samples.Filtered(y => y % Filters)).ToArray();
        foreach (string name in Memories.Names)
        {
            using var memory = Memories.Create(name);
            Assert.Equal(samples.Colors(), ImageCodecs.Png.DecodeIn(memory, file).Bytes);
            Memories.AssertNothingIsRented(memory);
        }
    }

    private static PngFile FileOf(PngSamples samples, byte[] rows) => new()
    {
        Width = (uint)samples.Width,
        Height = (uint)samples.Height,
        ColorType = samples.ColorType,
        Palette = s_palette,
        Transparency = samples.ColorType == 3 ? s_transparency : null,
        Rows = rows,
    };

    private static void AssertDecodes(PngSamples samples, byte[] rows, int imageDataChunks)
    {
        PngFile file = FileOf(samples, rows) with { ImageDataChunks = imageDataChunks };
        var expected = new Picture(samples.Width, samples.Height, samples.Colors(s_palette, s_transparency));
        Picture.AssertEqual(expected, ImageCodecs.Png.Decode(file.ToArray()));
    }
}

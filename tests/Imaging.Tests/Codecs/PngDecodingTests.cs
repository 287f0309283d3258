using Imaging.Codecs;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

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
    public void Every_colour_type_and_filter_is_read(byte colorType)
    {
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (1, 7), (9, 1), (13, 11), (67, 5)])
        {
            PngSamples samples = PngSamples.Random(width, height, colorType, seed: width);
            for (int filter = 0; filter < Filters; filter++)
            {
                AssertDecodes(samples, FileOf(samples) with { Rows = samples.Filtered(_ => filter) });
            }
        }
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(0, 2)]
    [InlineData(0, 4)]
    [InlineData(0, 16)]
    [InlineData(2, 16)]
    [InlineData(3, 1)]
    [InlineData(3, 2)]
    [InlineData(3, 4)]
    [InlineData(4, 16)]
    [InlineData(6, 16)]
    public void Every_depth_is_read(byte colorType, byte bitDepth)
    {
        PngSamples samples = PngSamples.Random(37, 19, colorType, seed: 11);
        PngFile file = FileOf(samples) with
        {
            BitDepth = bitDepth,
            Rows = samples.Packed(bitDepth),
            Palette = s_palette[..Math.Min(s_palette.Length, 3 << bitDepth)],
            Transparency = colorType == 3 ? s_transparency[..Math.Min(s_transparency.Length, 1 << bitDepth)] : null,
        };
        AssertDecodes(samples.AtDepth(bitDepth), file);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(2, 8)]
    [InlineData(3, 8)]
    [InlineData(4, 8)]
    [InlineData(6, 8)]
    public void Interlaced_files_are_read(byte colorType, byte bitDepth)
    {
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (3, 9), (67, 43)])
        {
            PngSamples samples = PngSamples.Random(width, height, colorType, seed: width);
            PngFile file = FileOf(samples) with { BitDepth = bitDepth, Interlacing = 1, Rows = samples.Packed(bitDepth, interlaced: true) };
            AssertDecodes(samples.AtDepth(bitDepth), file);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(6)]
    public void Interlaced_files_with_16_bits_are_not_supported(byte colorType)
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        PngSamples samples = PngSamples.Random(67, 43, colorType, seed: 12);
        PngFile file = FileOf(samples) with { BitDepth = 16, Interlacing = 1, Rows = samples.Packed(16, interlaced: true) };
        Assert.Contains("16 bits", ImageCodecs.Png.AssertRefuses<NotSupportedException>(file.ToArray()), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(7)]
    [InlineData(int.MaxValue)] // one byte in each
    public void Compressed_rows_may_be_cut_anywhere(int imageDataChunks)
    {
        PngSamples samples = PngSamples.Random(15, 9, colorType: 2, seed: 4);
        PngFile file = FileOf(samples);
        AssertDecodes(samples, file with { ImageDataChunks = Math.Min(imageDataChunks, PngFile.Compressed(file.Rows).Length) });
    }

    [Fact]
    public void Colours_of_a_palette_are_opaque_unless_the_file_says_otherwise()
    {
        PngSamples samples = PngSamples.Random(16, 16, colorType: 3, seed: 5);
        AssertDecodes(samples, FileOf(samples) with { Transparency = null }, transparency: []);
    }

    [Fact]
    public void One_colour_may_stand_for_transparency()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        PngFile file = new() { Width = 2, Rows = [0, 10, 20, 30, 10, 20, 31], Transparency = [0, 10, 0, 20, 0, 30] };
        Assert.Equal([255, 255, 255, 10, 20, 31], ImageCodecs.Png.Decode(file.ToArray()).Bytes);
    }

    [Fact]
    public void An_image_is_the_same_in_every_memory()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        PngSamples samples = PngSamples.Random(211, 401, colorType: 6, seed: 6);
        byte[] file = FileOf(samples).ToArray();
        Picture expected = ImageCodecs.Png.Decode(file);
        foreach (string name in Memories.Names)
        {
            using var memory = Memories.Create(name);
            Picture.AssertEqual(expected, ImageCodecs.Png.DecodeIn(memory, file));
            Memories.AssertNothingIsRented(memory);
        }
    }

    private static PngFile FileOf(PngSamples samples) => new()
    {
        Width = (uint)samples.Width,
        Height = (uint)samples.Height,
        ColorType = samples.ColorType,
        Palette = s_palette,
        Transparency = samples.ColorType == 3 ? s_transparency : null,
        Rows = samples.Filtered(y => y % Filters),
    };

    private static void AssertDecodes(PngSamples samples, PngFile file, byte[]? transparency = null)
    {
        if (!MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            var expected = new Picture(samples.Width, samples.Height, samples.Colors(s_palette, transparency ?? s_transparency));
            Picture.AssertEqual(expected, ImageCodecs.Png.Decode(file.ToArray()));
        }
    }
}

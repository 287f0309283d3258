using LoadResizeSave.Codecs;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Codecs;

/// <summary>Files that are cut, damaged, or lie.</summary>
public class PngDamageTests
{
    private static readonly PngFile s_sound = new()
    {
        Width = 3,
        Height = 2,
        ColorType = 3,
        Palette = [1, 2, 3, 4, 5, 6],
        Transparency = [128],
        Rows = [0, 0, 1, 0, 2, 1, 0, 1],
        ImageDataChunks = 2,
    };

    private static readonly Dictionary<string, PngFile> s_broken = new()
    {
        ["The header says 0 × 2 pixels."] = s_sound with { Width = 0 },
        ["The header says 3 × 0 pixels."] = s_sound with { Height = 0 },
        ["The header has values that the format does not know. (color)"] = s_sound with { ColorType = 1 },
        ["The header has values that the format does not know. (compression)"] = s_sound with { Compression = 1 },
        ["The header has values that the format does not know. (filter)"] = s_sound with { Filtering = 1 },
        ["The header has values that the format does not know. (interlace)"] = s_sound with { Interlacing = 2 },
        ["The palette is broken. (missing)"] = s_sound with { Palette = null },
        ["The palette is broken. (empty)"] = s_sound with { Palette = [] },
        ["The palette is broken. (a third of a colour)"] = s_sound with { Palette = [1, 2, 3, 4] },
        ["The palette is broken. (257 colours)"] = s_sound with { Palette = new byte[257 * 3] },
        ["The palette is broken. (more transparency than colours)"] = s_sound with { Transparency = new byte[3] },
        ["A pixel has a colour that is not in the palette."] = s_sound with { Rows = [0, 0, 1, 2, 0, 0, 0, 0] },
        ["A row has a filter that the format does not know."] = s_sound with { Rows = [0, 0, 1, 0, 5, 0, 0, 0] },
        ["There are fewer pixels than the header says."] = s_sound with { Rows = [0, 0, 1, 0, 0, 0, 1] },
        ["There are more pixels than the header says."] = s_sound with { Rows = [0, 0, 1, 0, 0, 0, 1, 0, 0] },
        ["The compressed pixels end too early. (in the middle)"] = s_sound with { ImageData = PngFile.Compressed(s_sound.Rows)[..6] },
        ["There are no pixels."] = s_sound with { ImageDataChunks = 0 },
        ["The file ends in the middle of a chunk. (no end)"] = s_sound with { HasEnd = false },
        ["The compressed pixels are damaged. (not compressed)"] = s_sound with { ImageData = s_sound.Rows },
        ["The compressed pixels are damaged. (wrong Adler-32)"] = s_sound with { ImageData = WithWrongAdler(s_sound.Rows) },
        ["The compressed pixels end too early. (no Adler-32)"] = s_sound with { ImageData = PngFile.Compressed(s_sound.Rows)[..^4] },
        ["The compressed pixels end too early. (half an Adler-32)"] = s_sound with { ImageData = PngFile.Compressed(s_sound.Rows)[..^2] },
    };

    public static TheoryData<string> Broken => [.. s_broken.Keys];

    [Fact]
    public void The_file_that_all_the_others_are_made_of_is_sound()
    {
        byte[] first = [128, 128, 129];
        byte[] second = [4, 5, 6];
        var expected = new Picture(3, 2, [.. first, .. second, .. first, .. second, .. second, .. second]);
        Picture.AssertEqual(expected, ImageCodecs.Png.Decode(s_sound.ToArray()));
    }

    [Theory]
    [MemberData(nameof(Broken))]
    public void What_is_wrong_is_said(string message) => Assert.Equal(
        message.Split(" (")[0], ImageCodecs.Png.AssertRefuses<InvalidDataException>(s_broken[message].ToArray()));

    [Fact]
    public void A_file_cut_anywhere_is_refused()
    {
        byte[] file = s_sound.ToArray();
        for (int length = 8; length < file.Length; length++)
        {
            string message = ImageCodecs.Png.AssertRefuses<InvalidDataException>(file[..length]);
            Assert.Contains("ends in the middle", message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_byte_changed_anywhere_is_noticed()
    {
        byte[] file = s_sound.ToArray();
        for (int position = 8; position < file.Length; position++)
        {
            byte[] damaged = [.. file];
            damaged[position] ^= 0x20; // also turns the letters of chunk names from large to small
            ImageCodecs.Png.AssertRefuses<InvalidDataException>(damaged, out _);
        }
    }

    [Fact]
    public void A_wrong_chunk_checksum_is_told_from_other_damage()
    {
        byte[] file = s_sound.ToArray();
        file[^1] ^= 1;
        Assert.Contains("checksum", ImageCodecs.Png.AssertRefuses<InvalidDataException>(file), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(uint.MaxValue, 1)]
    [InlineData(1, uint.MaxValue)]
    [InlineData(int.MaxValue, int.MaxValue)]
    [InlineData(65_536, 1)]
    [InlineData(65_535, 65_535)]
    [InlineData(20_000, 15_000)] // photos can be that large, but not in a file this small
    public void Absurd_dimensions_are_refused_before_anything_is_rented(uint width, uint height)
    {
        byte[] file = (s_sound with { Width = width, Height = height }).ToArray();
        ImageCodecs.Png.AssertRefuses<InvalidDataException>(file, out int rents);
        Assert.Equal(0, rents);
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(16, 0)]
    [InlineData(8, 1)]
    public void Sound_files_of_kinds_that_are_not_supported_are_no_broken_files(byte bitDepth, byte interlacing)
    {
        PngFile file = s_sound with { BitDepth = bitDepth, Interlacing = interlacing };
        ImageCodecs.Png.AssertRefuses<NotSupportedException>(file.ToArray());
    }

    private static byte[] WithWrongAdler(byte[] rows)
    {
        byte[] compressed = PngFile.Compressed(rows);
        compressed[^1] ^= 1;
        return compressed;
    }
}

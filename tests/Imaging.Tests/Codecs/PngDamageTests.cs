using Imaging.Codecs;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

/// <summary>Files that are cut, damaged, or lie.</summary>
public class PngDamageTests
{
    private static readonly PngFile s_sound = new()
    {
        Width = 3,
        Height = 2,
        ColorType = 3,
        Palette = [1, 2, 3, 4, 5, 6],
        Transparency = [0],
        Rows = [0, 0, 1, 0, 2, 1, 0, 1],
        ImageDataChunks = 2,
    };

    private static readonly Dictionary<string, PngFile> s_broken = new()
    {
        ["no width"] = s_sound with { Width = 0 },
        ["no height"] = s_sound with { Height = 0 },
        ["a colour type that the format does not know"] = s_sound with { ColorType = 1 },
        ["a depth that the format does not know"] = s_sound with { BitDepth = 3 },
        ["a compression that the format does not know"] = s_sound with { Compression = 1 },
        ["filters that the format does not know"] = s_sound with { Filtering = 1 },
        ["an interlacing that the format does not know"] = s_sound with { Interlacing = 2 },
        ["no palette"] = s_sound with { Palette = null },
        ["an empty palette"] = s_sound with { Palette = [] },
        ["a palette with a third of a colour"] = s_sound with { Palette = [1, 2, 3, 4] },
        ["a palette of 257 colours"] = s_sound with { Palette = new byte[257 * 3] },
        ["a filter that the format does not know"] = s_sound with { Rows = [0, 0, 1, 0, 5, 0, 0, 0] },
        ["fewer pixels than the header says"] = s_sound with { Rows = [0, 0, 1, 0, 0, 0, 1] },
        ["half of the compressed pixels"] = s_sound with { ImageData = PngFile.Compressed(s_sound.Rows)[..6] },
        ["no pixels"] = s_sound with { ImageDataChunks = 0 },
        ["pixels that are not compressed"] = s_sound with { ImageData = s_sound.Rows },
        ["a wrong Adler-32"] = s_sound with { ImageData = WithWrongAdler(s_sound.Rows) },
        ["no Adler-32"] = s_sound with { ImageData = PngFile.Compressed(s_sound.Rows)[..^4] },
    };

    /// <summary>Files whose pixels are all there, whatever else is wrong.</summary>
    private static readonly Dictionary<string, PngFile> s_strange = new()
    {
        ["more pixels than the header says"] = s_sound with { Rows = [.. s_sound.Rows, 0] },
        ["no end"] = s_sound with { HasEnd = false },
    };

    public static TheoryData<string> Broken => [.. s_broken.Keys];

    public static TheoryData<string> Strange => [.. s_strange.Keys];

    [Fact]
    public void The_file_that_all_the_others_are_made_of_is_sound() => AssertAllPixelsAreThere(s_sound.ToArray());

    [Theory]
    [MemberData(nameof(Broken))]
    public void Broken_files_are_refused_and_libpng_says_why(string what) => AssertRefused(s_broken[what].ToArray());

    [Theory]
    [MemberData(nameof(Strange))]
    public void Files_with_all_of_their_pixels_are_read(string what) => AssertAllPixelsAreThere(s_strange[what].ToArray());

    [Fact]
    public void Transparency_that_does_not_fit_the_palette_is_left_out()
    {
        if (!MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            Picture picture = ImageCodecs.Png.Decode((s_sound with { Transparency = new byte[3] }).ToArray());
            Assert.Equal([1, 2, 3, 4, 5, 6, 1, 2, 3], picture.Bytes[..9]);
        }
    }

    [Fact]
    public void A_file_cut_before_its_last_pixel_is_refused()
    {
        byte[] file = s_sound.ToArray();
        int afterPixels = file.AsSpan().IndexOf("tIME"u8) - 4;
        for (int length = 8; length < afterPixels; length++)
        {
            AssertRefused(file[..length]);
        }
    }

    [Fact]
    public void A_byte_changed_anywhere_before_the_last_pixel_is_noticed_or_does_not_matter()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        // The palette's transparency is beside the pixels: where it is damaged, the file is read without it.
        byte[] file = (s_sound with { Transparency = null }).ToArray();
        Picture sound = ImageCodecs.Png.Decode(file);
        for (int position = 8; position < file.Length; position++)
        {
            byte[] damaged = [.. file];
            damaged[position] ^= 0x20; // also turns the letters of chunk names from large to small
            try
            {
                Picture.AssertEqual(sound, ImageCodecs.Png.Decode(damaged));
            }
            catch (InvalidDataException problem)
            {
                Assert.NotEmpty(problem.Message);
            }
        }
    }

    [Fact]
    public void A_wrong_checksum_is_told_from_other_damage()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        byte[] file = s_sound.ToArray();
        file[file.AsSpan().IndexOf("PLTE"u8) + 4] ^= 1;
        Assert.Contains("CRC", ImageCodecs.Png.AssertRefuses<InvalidDataException>(file), StringComparison.Ordinal);
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
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        byte[] file = (s_sound with { Width = width, Height = height }).ToArray();
        ImageCodecs.Png.AssertRefuses<InvalidDataException>(file, out int rents);
        Assert.Equal(0, rents);
    }

    /// <summary>libpng skips what it does not know. Who looks for the depth and the interlacing in their places would find those of the other chunk.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_chunk_before_the_header_hides_nothing_of_it(byte interlacing)
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        byte[] file = new PngFile { FirstChunk = "juNk", BitDepth = 16, Interlacing = interlacing, Rows = [0, 10, 10, 20, 20, 30, 30] }.ToArray();
        string message = ImageCodecs.Png.AssertRefuses<InvalidDataException>(file, out int rents);
        Assert.Contains("does not begin with its header", message, StringComparison.Ordinal);
        Assert.Equal(0, rents);
    }

    private static void AssertRefused(byte[] file)
    {
        if (!MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            string message = ImageCodecs.Png.AssertRefuses<InvalidDataException>(file);
            Assert.Matches("^libpng gave up: .+$", message);
        }
    }

    private static void AssertAllPixelsAreThere(byte[] file)
    {
        if (!MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            byte[] first = [255, 255, 255];
            byte[] second = [4, 5, 6];
            var expected = new Picture(3, 2, [.. first, .. second, .. first, .. second, .. second, .. second]);
            Picture.AssertEqual(expected, ImageCodecs.Png.Decode(file));
        }
    }

    private static byte[] WithWrongAdler(byte[] rows)
    {
        byte[] compressed = PngFile.Compressed(rows);
        compressed[^1] ^= 1;
        return compressed;
    }
}

using System.Text;
using Imaging.Codecs;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

public class PpmTests
{
    private const string TwoPixels = "abcdef";

    public static TheoryData<string> AllMemories => Memories.All;

    [Theory]
    [MemberData(nameof(AllMemories))]
    public void What_was_written_is_read_again(string name)
    {
        using var memory = Memories.Create(name);
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (1, 31), (31, 1), (157, 301)])
        {
            Picture picture = Picture.Random(width, height, seed: width);
            Picture.AssertEqual(picture, ImageCodecs.Ppm.DecodeIn(memory, ImageCodecs.Ppm.Encode(picture, memory)));
        }

        Memories.AssertNothingIsRented(memory);
    }

    [Theory]
    [InlineData("P6 2 1 255 ")]
    [InlineData("P6\r\n2\t1\v255\f")]
    [InlineData("P6\n# by hand\n2 # wide\n#\n1\n255\n")]
    [InlineData("P6 0002 1 255\n")]
    public void Headers_are_read_however_they_are_written(string header) =>
        Assert.Equal(Encoding.ASCII.GetBytes(TwoPixels), Decode(header + TwoPixels).Bytes);

    [Fact]
    public void One_white_space_ends_the_header_and_the_next_is_a_pixel() => Assert.Equal("\n\n#"u8, Decode("P6 1 1 255\n\n\n#").Bytes);

    [Fact]
    public void What_stands_behind_the_pixels_is_not_looked_at() =>
        Assert.Equal(Encoding.ASCII.GetBytes(TwoPixels), Decode("P6 2 1 255\n" + TwoPixels + "more").Bytes);

    [Theory]
    [InlineData("P6")]
    [InlineData("P6 2")]
    [InlineData("P62 1 255\n")]
    [InlineData("P6 2 1 255")]
    [InlineData("P6 2 1 255#")]
    [InlineData("P6 2 1\n# the rest is missing")]
    [InlineData("P6 two 1 255\n")]
    [InlineData("P6 2x1 255\n")]
    [InlineData("P6 2 1 255x")]
    [InlineData("P6 99999999999 1 255\n")]
    [InlineData("P6 -2 -1 255\n")]
    [InlineData("P6 0 1 255\n")]
    [InlineData("P6 2 0 255\n")]
    [InlineData("P6 2 1 0\n")]
    [InlineData("P6 2 1 -255\n")]
    [InlineData("P6 2 1 65536\n")]
    public void Malformed_headers_are_refused(string header) =>
        ImageCodecs.Ppm.AssertRefuses<InvalidDataException>(Encoding.ASCII.GetBytes(header + TwoPixels));

    [Fact]
    public void A_file_cut_anywhere_is_refused()
    {
        byte[] file = ImageCodecs.Ppm.Encode(Picture.Random(5, 3));
        for (int length = 2; length < file.Length; length++)
        {
            ImageCodecs.Ppm.AssertRefuses<InvalidDataException>(file[..length]);
        }
    }

    [Theory]
    [InlineData("2147483647 2147483647")]
    [InlineData("65536 1")]
    [InlineData("1 65536")]
    [InlineData("65535 65535")]
    [InlineData("20000 15000")]
    public void Absurd_dimensions_are_refused_before_anything_is_rented(string dimensions)
    {
        byte[] file = Encoding.ASCII.GetBytes($"P6 {dimensions} 255\n{TwoPixels}");
        ImageCodecs.Ppm.AssertRefuses<InvalidDataException>(file, out int rents);
        Assert.Equal(0, rents);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(65_535)]
    public void Samples_of_other_depths_are_not_supported(int maxValue) =>
        ImageCodecs.Ppm.AssertRefuses<NotSupportedException>(Encoding.ASCII.GetBytes($"P6 1 1 {maxValue}\n{TwoPixels}"));

    private static Picture Decode(string file) => ImageCodecs.Ppm.Decode(Encoding.ASCII.GetBytes(file));
}

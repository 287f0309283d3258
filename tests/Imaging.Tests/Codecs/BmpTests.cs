using System.Buffers.Binary;
using Imaging.Codecs;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

public class BmpTests
{
    /// <summary>Where the fields of the header are.</summary>
    private const int PixelOffset = 10;
    private const int InfoBytes = 14;
    private const int Width = 18;
    private const int Height = 22;
    private const int BitsPerPixel = 28;
    private const int Compression = 30;

    /// <summary>Two pixels a row, and the two bytes that bring a row to a multiple of four; the lower row first, blue first.</summary>
    private static readonly byte[] s_pixels = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0];

    public static TheoryData<string> AllMemories => Memories.All;

    [Theory]
    [MemberData(nameof(AllMemories))]
    public void What_was_written_is_read_again(string name)
    {
        using var memory = Memories.Create(name);
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (1, 31), (2, 5), (3, 5), (31, 1), (157, 301)])
        {
            Picture picture = Picture.Random(width, height, seed: width);
            Picture.AssertEqual(picture, ImageCodecs.Bmp.DecodeIn(memory, ImageCodecs.Bmp.Encode(picture, memory)));
        }

        Memories.AssertNothingIsRented(memory);
    }

    [Fact]
    public void Pixels_lie_as_every_viewer_expects_them()
    {
        var picture = new Picture(2, 2, [9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4]);
        byte[] file = ImageCodecs.Bmp.Encode(picture);
        Assert.Equal(s_pixels, file[^16..]);
        Assert.Equal(file.Length, BinaryPrimitives.ReadInt32LittleEndian(file.AsSpan(2)));
        Picture.AssertEqual(picture, ImageCodecs.Bmp.Decode(file));
    }

    [Fact]
    public void A_negative_height_says_that_the_upper_row_comes_first() =>
        Assert.Equal([3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10], ImageCodecs.Bmp.Decode(With(Height, -2)).Bytes);

    [Fact]
    public void A_longer_header_and_what_stands_behind_the_pixels_are_not_looked_at()
    {
        byte[] file = Sound();
        byte[] longer = [.. file[..54], .. new byte[70], .. file[54..], 1, 2, 3];
        BinaryPrimitives.WriteInt32LittleEndian(longer.AsSpan(PixelOffset), 124);
        BinaryPrimitives.WriteInt32LittleEndian(longer.AsSpan(InfoBytes), 110);
        Picture.AssertEqual(ImageCodecs.Bmp.Decode(file), ImageCodecs.Bmp.Decode(longer));
    }

    [Fact]
    public void A_file_cut_anywhere_is_refused()
    {
        byte[] file = Sound();
        for (int length = 2; length < file.Length; length++)
        {
            ImageCodecs.Bmp.AssertRefuses<InvalidDataException>(file[..length]);
        }
    }

    [Theory]
    [InlineData(Width, 0)]
    [InlineData(Width, -2)]
    [InlineData(Width, int.MaxValue)]
    [InlineData(Height, 0)]
    [InlineData(Height, 65_536)]
    [InlineData(Height, 20_000)]
    [InlineData(Height, int.MinValue)]
    [InlineData(PixelOffset, 53)]
    [InlineData(PixelOffset, -1)]
    [InlineData(PixelOffset, int.MaxValue)]
    public void Headers_that_lie_are_refused_before_anything_is_rented(int field, int value)
    {
        ImageCodecs.Bmp.AssertRefuses<InvalidDataException>(With(field, value), out int rents);
        Assert.Equal(0, rents);
    }

    [Theory]
    [InlineData(BitsPerPixel, 8)]
    [InlineData(BitsPerPixel, 32)]
    [InlineData(Compression, 1)]
    [InlineData(InfoBytes, 12)]
    public void Other_kinds_are_not_supported(int field, int value) => ImageCodecs.Bmp.AssertRefuses<NotSupportedException>(With(field, value));

    private static byte[] Sound() => ImageCodecs.Bmp.Encode(new Picture(2, 2, [9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4]));

    private static byte[] With(int field, int value)
    {
        byte[] file = Sound();
        BinaryPrimitives.WriteInt32LittleEndian(file.AsSpan(field), value);
        return file;
    }
}

using System.Buffers.Binary;
using Imaging.Codecs;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

/// <summary>With libjpeg-turbo what JPEG can do; without it, that the codec says so.</summary>
public class JpegTests
{
    public static TheoryData<string> AllMemories => Memories.All;

    [Theory]
    [MemberData(nameof(AllMemories))]
    public void What_was_written_is_nearly_what_is_read(string name)
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Jpeg))
        {
            return;
        }

        using var memory = Memories.Create(name);
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (1, 31), (31, 1), (65, 47), (157, 301)])
        {
            Picture picture = Picture.Smooth(width, height);
            Picture decoded = ImageCodecs.Jpeg.DecodeIn(memory, ImageCodecs.Jpeg.Encode(picture, memory));
            Assert.True(picture.LikenessTo(decoded) > 32, $"{width} × {height}: {picture.LikenessTo(decoded)} dB");
        }

        Memories.AssertNothingIsRented(memory);
    }

    [Fact]
    public void Files_and_pixels_are_the_same_in_every_memory()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Jpeg))
        {
            return;
        }

        Picture picture = Picture.Random(157, 301);
        byte[] file = ImageCodecs.Jpeg.Encode(picture);
        Picture decoded = ImageCodecs.Jpeg.Decode(file);
        foreach (string name in Memories.Names)
        {
            using var memory = Memories.Create(name);
            Assert.Equal(file, ImageCodecs.Jpeg.Encode(picture, memory));
            Picture.AssertEqual(decoded, ImageCodecs.Jpeg.DecodeIn(memory, file));
        }
    }

    [Fact]
    public void A_file_cut_anywhere_is_refused()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Jpeg))
        {
            return;
        }

        byte[] file = ImageCodecs.Jpeg.Encode(Picture.Smooth(37, 29));
        for (int length = 3; length < file.Length; length++)
        {
            ImageCodecs.Jpeg.AssertRefuses<InvalidDataException>(file[..length]);
        }
    }

    [Fact]
    public void A_header_with_absurd_dimensions_is_refused_before_anything_is_rented()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Jpeg))
        {
            return;
        }

        byte[] file = ImageCodecs.Jpeg.Encode(Picture.Smooth(37, 29));
        int dimensions = file.AsSpan().IndexOf((ReadOnlySpan<byte>)[0xFF, 0xC0]) + 5;
        foreach ((ushort width, ushort height) in (ReadOnlySpan<(ushort, ushort)>)[(0, 29), (65_000, 65_000), (65_535, 1)])
        {
            BinaryPrimitives.WriteUInt16BigEndian(file.AsSpan(dimensions), height);
            BinaryPrimitives.WriteUInt16BigEndian(file.AsSpan(dimensions + 2), width);
            ImageCodecs.Jpeg.AssertRefuses<InvalidDataException>(file, out int rents);
            Assert.Equal(0, rents);
        }
    }

    [Fact]
    public void Grey_files_are_read_as_grey()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Jpeg))
        {
            return;
        }

        Picture picture = ImageCodecs.Jpeg.Decode(TestJpeg.MakeGrey(90, 19, 13));
        Assert.Equal((19, 13), (picture.Width, picture.Height));
        Assert.All(picture.Bytes, sample => Assert.InRange(sample, 88, 92));
    }

    [Fact]
    public void Files_for_printing_presses_are_not_supported()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Jpeg))
        {
            return;
        }

        Assert.Contains(
            "CMYK", ImageCodecs.Jpeg.AssertRefuses<NotSupportedException>(TestJpeg.MakeForPrintingPresses(19, 13)), StringComparison.Ordinal);
    }
}

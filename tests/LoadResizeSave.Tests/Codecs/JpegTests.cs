using System.Buffers.Binary;
using System.Runtime.InteropServices;
using LoadResizeSave.Codecs;
using LoadResizeSave.Codecs.Jpeg;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Codecs;

/// <summary>With libjpeg-turbo what JPEG can do; without it, that the codec says so.</summary>
public class JpegTests
{
    private const int CmykPixelFormat = 11;
    private const int GreyPixelFormat = 6;
    private const int GreySubsampling = 3;

    public static TheoryData<string> AllMemories => Memories.All;

    [Theory]
    [MemberData(nameof(AllMemories))]
    public void What_was_written_is_nearly_what_is_read(string name)
    {
        if (JpegLibrary.IsMissingAndTheCodecSaysSo())
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
        if (JpegLibrary.IsMissingAndTheCodecSaysSo())
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
        if (JpegLibrary.IsMissingAndTheCodecSaysSo())
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
        if (JpegLibrary.IsMissingAndTheCodecSaysSo())
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
        if (JpegLibrary.IsMissingAndTheCodecSaysSo())
        {
            return;
        }

        byte[] samples = [.. Enumerable.Repeat((byte)90, 19 * 13)];
        Picture picture = ImageCodecs.Jpeg.Decode(Compress(samples, 19, 13, GreyPixelFormat, GreySubsampling));
        Assert.Equal((19, 13), (picture.Width, picture.Height));
        Assert.All(picture.Bytes, sample => Assert.InRange(sample, 88, 92));
    }

    [Fact]
    public void Files_for_printing_presses_are_not_supported()
    {
        if (JpegLibrary.IsMissingAndTheCodecSaysSo())
        {
            return;
        }

        byte[] file = Compress(new byte[19 * 13 * 4], 19, 13, CmykPixelFormat, TurboJpeg.Subsampling420);
        Assert.Contains("CMYK", ImageCodecs.Jpeg.AssertRefuses<NotSupportedException>(file), StringComparison.Ordinal);
    }

    private static unsafe byte[] Compress(byte[] samples, int width, int height, int pixelFormat, int subsampling)
    {
        using TurboJpegHandle compressor = TurboJpegHandle.Compressor();
        byte[] file = new byte[64 << 10];
        var length = new CULong((nuint)file.Length);
        fixed (byte* pixels = samples)
        fixed (byte* start = file)
        {
            byte* bytes = start;
            compressor.ThrowIfFailed(TurboJpeg.Compress(
                compressor, pixels, width, samples.Length / height, height, pixelFormat,
                ref bytes, ref length, subsampling, quality: 90, TurboJpeg.NoRealloc));
        }

        return file[..(int)length.Value];
    }
}

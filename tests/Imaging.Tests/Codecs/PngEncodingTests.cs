using Imaging.Codecs;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

public class PngEncodingTests
{
    public static TheoryData<string> AllMemories => Memories.All;

    [Theory]
    [MemberData(nameof(AllMemories))]
    public void What_was_written_is_read_again(string name)
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        using var memory = Memories.Create(name);
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (1, 31), (31, 1), (33, 17), (1, 3000), (157, 301)])
        {
            // Nothing of it can be compressed: the file is as long as it can get.
            Picture picture = Picture.Random(width, height, seed: width);
            Picture.AssertEqual(picture, ImageCodecs.Png.DecodeIn(memory, ImageCodecs.Png.Encode(picture, memory)));
        }

        Memories.AssertNothingIsRented(memory);
    }

    [Fact]
    public void Smooth_pictures_get_small_files()
    {
        if (MissingLibrary.IsToldBy(ImageCodecs.Png))
        {
            return;
        }

        Picture picture = Picture.Smooth(99, 77);
        byte[] file = ImageCodecs.Png.Encode(picture);
        Picture.AssertEqual(picture, ImageCodecs.Png.Decode(file));
        Assert.True(file.Length < picture.Bytes.Length / 3, $"{file.Length} bytes for {picture.Bytes.Length}");
    }
}

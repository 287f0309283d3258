using System.Text;
using LoadResizeSave.Codecs;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Codecs;

public class PngEncodingTests
{
    public static TheoryData<string> AllMemories => Memories.All;

    [Theory]
    [MemberData(nameof(AllMemories))]
    public void What_was_written_is_read_again(string name)
    {
        using var memory = Memories.Create(name);
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (1, 31), (31, 1), (33, 17), (157, 301)])
        {
            Picture picture = Picture.Random(width, height, seed: width);
            Picture.AssertEqual(picture, ImageCodecs.Png.DecodeIn(memory, ImageCodecs.Png.Encode(picture, memory)));
        }

        Memories.AssertNothingIsRented(memory);
    }

    [Fact]
    public void Smooth_pictures_survive_the_filters_that_fit_them()
    {
        Picture picture = Picture.Smooth(99, 77);
        byte[] file = ImageCodecs.Png.Encode(picture);
        Picture.AssertEqual(picture, ImageCodecs.Png.Decode(file));
        Assert.True(file.Length < picture.Bytes.Length / 3, $"{file.Length} bytes for {picture.Bytes.Length}");
    }

    [Fact]
    public void Long_files_have_their_pixels_in_several_chunks()
    {
        string file = Encoding.Latin1.GetString(ImageCodecs.Png.Encode(Picture.Random(157, 301)));
        Assert.Equal(3, file.Split("IDAT").Length - 1);
    }
}

using System.Text;
using Imaging.Codecs;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

public class ImageCodecsTests
{
    [Fact]
    public void Files_are_recognized_by_what_is_in_them()
    {
        Assert.Same(ImageCodecs.Jpeg, ImageCodecs.Recognize([0xFF, 0xD8, 0xFF]));
        Assert.Same(ImageCodecs.Png, ImageCodecs.Recognize(new PngFile().ToArray()));
        Assert.Same(ImageCodecs.Bmp, ImageCodecs.Recognize(ImageCodecs.Bmp.Encode(Picture.Random(1, 1))));
        Assert.Same(ImageCodecs.Ppm, ImageCodecs.Recognize(ImageCodecs.Ppm.Encode(Picture.Random(1, 1))));
    }

    [Theory]
    [InlineData("")]
    [InlineData("P")]
    [InlineData("GIF89a")]
    [InlineData("\u0089PNG\r\n\u001A")]
    [InlineData("\u00FF\u00D8")]
    public void Other_files_are_refused(string file) =>
        Assert.NotEmpty(Assert.Throws<InvalidDataException>(() => ImageCodecs.Recognize(Encoding.Latin1.GetBytes(file))).Message);

    [Theory]
    [InlineData("holiday.jpg", true)]
    [InlineData("HOLIDAY.JPEG", true)]
    [InlineData("a.b.png", true)]
    [InlineData("x.bmp", true)]
    [InlineData("x.Ppm", true)]
    [InlineData("jpg", false)]
    [InlineData("x.jpg.txt", false)]
    public void Extensions_are_known_however_they_are_written(string path, bool known) =>
        Assert.Equal(known, ImageCodecs.HasKnownExtension(path));
}

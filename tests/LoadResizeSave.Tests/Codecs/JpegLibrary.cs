using LoadResizeSave.Codecs;
using LoadResizeSave.Codecs.Jpeg;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Codecs;

/// <summary>What tests of JPEG hold true on a computer without libjpeg-turbo.</summary>
internal static class JpegLibrary
{
    /// <summary>Where the library is missing, checks that the codec says so instead of failing somehow.</summary>
    public static bool IsMissingAndTheCodecSaysSo()
    {
        if (TurboJpegLibrary.IsAvailable)
        {
            return false;
        }

        Assert.Same(ImageCodecs.Png, ImageCodecs.Default);
        string message = ImageCodecs.Jpeg.AssertRefuses<NotSupportedException>([0xFF, 0xD8, 0xFF]);
        Assert.Contains("libjpeg-turbo", message, StringComparison.Ordinal);
        var problem = Assert.Throws<NotSupportedException>(() => ImageCodecs.Jpeg.Encode(Picture.Random(2, 2)));
        Assert.Contains("libjpeg-turbo", problem.Message, StringComparison.Ordinal);
        return true;
    }
}

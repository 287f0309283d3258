using Imaging.Codecs;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

/// <summary>What tests of a format hold true on a computer without the library that it needs.</summary>
internal static class MissingLibrary
{
    /// <summary>Where the library is missing, checks that the codec says so instead of failing somehow.</summary>
    public static bool IsToldBy(IImageCodec codec)
    {
        if (codec.IsAvailable)
        {
            return false;
        }

        Assert.NotSame(codec, ImageCodecs.Default);
        Assert.NotSame(codec, ImageCodecs.Lossless);
        Assert.Contains((codec.Library!, codec), ImageCodecs.Missing);
        Assert.Contains(codec.Library!.Name, codec.AssertRefuses<NotSupportedException>([0]), StringComparison.Ordinal);
        var problem = Assert.Throws<NotSupportedException>(() => codec.Encode(Picture.Random(2, 2)));
        Assert.Contains(codec.Library!.Name, problem.Message, StringComparison.Ordinal);
        return true;
    }
}

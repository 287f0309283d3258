using ImageSharp.Tests.Infrastructure;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace ImageSharp.Tests.Results;

/// <summary>Real photos, where they are: the thumbnails are the same, byte for byte.</summary>
public class PhotoTests
{
    public static TheoryData<string> Photos => [.. PhotoFolder.Files().Select(static file => Path.GetFileName(file)).DefaultIfEmpty(string.Empty)];

    [Theory]
    [MemberData(nameof(Photos))]
    public void Thumbnail(string name)
    {
        Assert.SkipWhen(name.Length == 0, "There are no photos beside the repository.");
        byte[] file = File.ReadAllBytes(Path.Combine(PhotoFolder.Path!, name));
        using PixelAllocator allocator = TestAllocator.Create();
        Assert.Equal(Shrink(TestConfiguration.OfImageSharp(), file), Shrink(TestConfiguration.With(allocator), file));
        TestAllocator.AssertQuiet(allocator);
    }

    private static byte[] Shrink(Configuration configuration, byte[] file)
    {
        using Image<Rgb24> photo = Pictures.Decode<Rgb24>(configuration, file);
        photo.Mutate(static image => image.Resize(150, 0));
        return Pictures.Encode(photo, "jpeg");
    }
}

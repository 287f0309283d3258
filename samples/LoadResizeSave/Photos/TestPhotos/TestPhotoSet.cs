using LoadResizeSave.Codecs;
using LoadResizeSave.Memory;
using PixelPool;

namespace LoadResizeSave.Photos.TestPhotos;

/// <summary>The photos that stand in when nobody names a folder: made once, kept in the user's own data folder.</summary>
internal static class TestPhotoSet
{
    public static IReadOnlyList<TestPhoto> All { get; } =
    [
        new("alpine-lake-at-dawn", 5472, 3648, Palette.Dawn, 11, ImageCodecs.Default),
        new("north-face-at-noon", 3456, 4608, Palette.Noon, 23, ImageCodecs.Default),
        new("last-light", 4000, 2668, Palette.Dusk, 37, ImageCodecs.Default),
        new("first-frost", 3264, 2448, Palette.Autumn, 41, ImageCodecs.Default),
        new("rain-coming", 3840, 2160, Palette.Overcast, 53, ImageCodecs.Default),
        new("the-whole-chain", 6000, 1250, Palette.Noon, 67, ImageCodecs.Default),
        new("larches", 2048, 3072, Palette.Autumn, 71, ImageCodecs.Default),
        new("square-dusk", 2448, 2448, Palette.Dusk, 89, ImageCodecs.Default),
        new("morning-haze", 2592, 1728, Palette.Dawn, 97, ImageCodecs.Png),
        new("summer-sky", 2560, 1440, Palette.Noon, 103, ImageCodecs.Ppm),
        new("grey-day", 1920, 1080, Palette.Overcast, 113, ImageCodecs.Default),
    ];

    /// <summary>Bump the number when a photo changes: whoever has the old ones then gets new ones.</summary>
    public static string Folder { get; } = Path.Combine(DataFolder(), "PixelPool", "test-photos-1");

    public static IEnumerable<TestPhoto> Missing => All.Where(photo => !File.Exists(PathOf(photo)));

    /// <returns>False when it was interrupted: then there is no such photo.</returns>
    public static bool Take(TestPhoto photo, CancellationToken interruption)
    {
        Directory.CreateDirectory(Folder);
        PixelAllocator allocator = PixelAllocator.Create();
        using var memory = new PooledImageMemory(allocator);
        using PixelBuffer<Rgb24> pixels = allocator.Rent<Rgb24>(
            photo.Width, photo.Height, PooledImageMemory.OptionsFor(photo.Codec.EncodeLayout));
        if (!Camera.Expose(photo, pixels, interruption))
        {
            return false;
        }

        using var image = new PooledImage<Rgb24>(pixels);
        WholeFile.Write(PathOf(photo), file => photo.Codec.Encode(image, file, memory));
        return true;
    }

    private static string PathOf(TestPhoto photo) => Path.Combine(Folder, photo.FileName);

    private static string DataFolder()
    {
        string folder = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData, Environment.SpecialFolderOption.Create);
        return folder.Length > 0 ? folder : Path.GetTempPath();
    }
}

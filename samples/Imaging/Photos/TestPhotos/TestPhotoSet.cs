using Imaging.Codecs;

namespace Imaging.Photos.TestPhotos;

/// <summary>The photos that stand in when nobody names a folder: made once, kept in the user's own data folder.</summary>
public static class TestPhotoSet
{
    private static readonly TestPhoto[] s_all =
    [
        new("alpine-lake-at-dawn", 5472, 3648, Palette.Dawn, 11, ImageCodecs.Default),
        new("north-face-at-noon", 3456, 4608, Palette.Noon, 23, ImageCodecs.Default),
        new("last-light", 4000, 2668, Palette.Dusk, 37, ImageCodecs.Default),
        new("first-frost", 3264, 2448, Palette.Autumn, 41, ImageCodecs.Default),
        new("rain-coming", 3840, 2160, Palette.Overcast, 53, ImageCodecs.Default),
        new("the-whole-chain", 6000, 1250, Palette.Noon, 67, ImageCodecs.Default),
        new("larches", 2048, 3072, Palette.Autumn, 71, ImageCodecs.Default),
        new("square-dusk", 2448, 2448, Palette.Dusk, 89, ImageCodecs.Default),
        new("morning-haze", 2592, 1728, Palette.Dawn, 97, ImageCodecs.Lossless),
        new("summer-sky", 2560, 1440, Palette.Noon, 103, ImageCodecs.Ppm),
        new("grey-day", 1920, 1080, Palette.Overcast, 113, ImageCodecs.Default),
    ];

    /// <summary>Bump the number when a photo changes: whoever has the old ones then gets new ones.</summary>
    public static string Folder { get; } = Path.Combine(DataFolder(), "PixelPool", "test-photos-1");

    /// <summary>Those that are not painted yet.</summary>
    public static IReadOnlyList<TestPhoto> Missing => [.. s_all.Where(photo => !File.Exists(PathOf(photo)))];

    /// <summary>All of them, as files. What else lies in the folder, for example in a format of another time, does not count.</summary>
    public static IReadOnlyList<Photo> Photos => [.. s_all.Select(photo => new Photo(PathOf(photo), photo.Name))];

    /// <summary>Paints those that are missing, as many at a time as <paramref name="parallelism"/> says.</summary>
    /// <param name="parallelism">From 1 on.</param>
    /// <param name="progress">Gets the pixels of each that is there now, from any thread; <see langword="null"/>: nobody watches.</param>
    /// <param name="interruption">What was painted until then is kept.</param>
    /// <returns>How many were painted.</returns>
    public static int PaintMissing(int parallelism, IProgress<long>? progress, CancellationToken interruption)
    {
        Directory.CreateDirectory(Folder);
        int painted = 0;
        Workers.Process([.. Missing], parallelism, interruption, photo =>
        {
            if (Camera.Take(photo, PathOf(photo), interruption))
            {
                Interlocked.Increment(ref painted);
                progress?.Report(photo.PixelCount);
            }
        });
        return painted;
    }

    private static string PathOf(TestPhoto photo) => Path.Combine(Folder, photo.FileName);

    private static string DataFolder()
    {
        string folder = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData, Environment.SpecialFolderOption.Create);
        return folder.Length > 0 ? folder : Path.GetTempPath();
    }
}

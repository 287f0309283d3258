using LoadResizeSave.Codecs;
using LoadResizeSave.Codecs.Jpeg;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Pipeline;

/// <summary>A folder with a few small photos of every format.</summary>
internal static class PhotoSet
{
    /// <summary>How many of <see cref="WriteSound"/> are photos of this computer: JPEG only where it can be written.</summary>
    public static int SoundCount => TurboJpegLibrary.IsAvailable ? 6 : 4;

    /// <summary>Files that are skipped, and a part of what is said about them.</summary>
    public static IReadOnlyDictionary<string, string> BrokenFiles { get; } = new Dictionary<string, string>
    {
        ["cut.png"] = "ends in the middle",
        ["cut.ppm"] = "ends in the middle",
        ["empty.png"] = "empty",
        ["text.jpg"] = "not a JPEG, PNG or PPM",
        ["whale.ppm"] = "more than any photo has",
    };

    public static void WriteSound(TemporaryFolder folder)
    {
        folder.Write("noise.png", ImageCodecs.Png.Encode(Picture.Random(157, 301, seed: 1)));
        folder.Write("wide.PNG", ImageCodecs.Png.Encode(Picture.Smooth(203, 31)));
        folder.Write("tall.ppm", ImageCodecs.Ppm.Encode(Picture.Random(33, 190, seed: 2)));
        folder.Write("tiny.ppm", ImageCodecs.Ppm.Encode(Picture.Random(5, 3, seed: 3)));
        if (TurboJpegLibrary.IsAvailable)
        {
            folder.Write("waves.jpg", ImageCodecs.Jpeg.Encode(Picture.Smooth(180, 121)));
            folder.Write("waves.jpeg", ImageCodecs.Jpeg.Encode(Picture.Smooth(121, 180)));
        }
    }

    public static void WriteBroken(TemporaryFolder folder)
    {
        folder.Write("cut.png", ImageCodecs.Png.Encode(Picture.Random(40, 30))[..^20]);
        folder.Write("cut.ppm", ImageCodecs.Ppm.Encode(Picture.Random(40, 30))[..^20]);
        folder.Write("empty.png", []);
        folder.Write("text.jpg", "Dear diary"u8.ToArray());
        folder.Write("whale.ppm", "P6 60000 60000 255\n"u8.ToArray());
        folder.Write("notes.txt", "not even looked at"u8.ToArray());
    }
}

using Imaging.Codecs;

namespace Imaging.Testing;

/// <summary>A folder with a few small photos of every format.</summary>
public static class PhotoSet
{
    /// <summary>How many of <see cref="WriteSound"/> are photos of this computer: JPEG and PNG only where they can be written.</summary>
    public static int SoundCount => 4 + (ImageCodecs.Png.IsAvailable ? 1 : 0) + (ImageCodecs.Jpeg.IsAvailable ? 2 : 0);

    /// <summary>Files that are skipped, and a part of what is said about them.</summary>
    public static IReadOnlyDictionary<string, string> BrokenFiles { get; } = new Dictionary<string, string>
    {
        ["cut.bmp"] = "ends in the middle",
        ["cut.png"] = "libpng",
        ["cut.ppm"] = "ends in the middle",
        ["empty.png"] = "empty",
        ["text.jpg"] = "not a JPEG, PNG, BMP or binary PPM",
        ["whale.ppm"] = "more than any photo has",
    };

    public static void WriteSound(TemporaryFolder folder)
    {
        folder.Write("noise.bmp", ImageCodecs.Bmp.Encode(Picture.Random(157, 301, seed: 1)));
        folder.Write("wide.BMP", ImageCodecs.Bmp.Encode(Picture.Smooth(203, 31)));
        folder.Write("tall.ppm", ImageCodecs.Ppm.Encode(Picture.Random(33, 190, seed: 2)));
        folder.Write("tiny.ppm", ImageCodecs.Ppm.Encode(Picture.Random(5, 3, seed: 3)));
        if (ImageCodecs.Png.IsAvailable)
        {
            folder.Write("grain.PNG", ImageCodecs.Png.Encode(Picture.Random(157, 301, seed: 4)));
        }

        if (ImageCodecs.Jpeg.IsAvailable)
        {
            folder.Write("waves.jpg", ImageCodecs.Jpeg.Encode(Picture.Smooth(180, 121)));
            folder.Write("waves.jpeg", ImageCodecs.Jpeg.Encode(Picture.Smooth(121, 180)));
        }
    }

    public static void WriteBroken(TemporaryFolder folder)
    {
        folder.Write("cut.bmp", ImageCodecs.Bmp.Encode(Picture.Random(40, 30))[..^20]);
        folder.Write("cut.png", [0x89, .. "PNG\r\n\x1A\n"u8]);
        folder.Write("cut.ppm", ImageCodecs.Ppm.Encode(Picture.Random(40, 30))[..^20]);
        folder.Write("empty.png", []);
        folder.Write("text.jpg", "Dear diary"u8.ToArray());
        folder.Write("whale.ppm", "P6 60000 60000 255\n"u8.ToArray());
        folder.Write("notes.txt", "not even looked at"u8.ToArray());
    }
}

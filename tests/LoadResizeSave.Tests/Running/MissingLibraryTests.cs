using Imaging.Codecs;
using Imaging.Testing;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Running;

/// <summary>A computer without the native libraries, whatever this one has.</summary>
public sealed class MissingLibraryTests : IDisposable
{
    private readonly TemporaryFolder _photos = new();
    private readonly TemporaryFolder _thumbnails = new();
    private readonly TemporaryFolder _libraries = new();

    public void Dispose()
    {
        _photos.Dispose();
        _thumbnails.Dispose();
        _libraries.Dispose();
    }

    [Fact]
    public void Without_any_library_thumbnails_are_written_as_bitmaps()
    {
        PhotoSet.WriteSound(_photos);
        string output = Run("libturbojpeg.so.0", "libturbojpeg.so", "libpng16.so.16", "libpng16.so");

        Assert.Contains("libjpeg-turbo was not found: JPEG files are skipped", output, StringComparison.Ordinal);
        Assert.Contains("libpng was not found: PNG files are skipped", output, StringComparison.Ordinal);
        Assert.Contains("Thumbnails are written as BMP.", output, StringComparison.Ordinal);
        Assert.Matches($"4 done, {PhotoSet.SoundCount - 4} files? skipped", output);
        Assert.Equal(["noise.bmp", "tall.bmp", "tiny.bmp", "wide.bmp"], Thumbnails("*.bmp"));
        Assert.Equal(5, ImageCodecs.Bmp.Decode(File.ReadAllBytes(_thumbnails["tiny.bmp"])).Width);
    }

    [Fact]
    public void Without_libjpeg_turbo_thumbnails_are_written_as_PNG()
    {
        Assert.SkipUnless(ImageCodecs.Png.IsAvailable, "There is no libpng here.");
        PhotoSet.WriteSound(_photos);
        string output = Run("libturbojpeg.so.0", "libturbojpeg.so");

        Assert.Contains("Thumbnails are written as PNG.", output, StringComparison.Ordinal);
        Assert.Equal(["grain.png", "noise.png", "tall.png", "tiny.png", "wide.png"], Thumbnails("*.png"));
    }

    private string[] Thumbnails(string pattern) => [.. Directory.EnumerateFiles(_thumbnails.FullPath, pattern).Select(path => Path.GetFileName(path)).Order()];

    /// <param name="hidden">Files that are no libraries hide those of the same name.</param>
    private string Run(params string[] hidden)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "How a test hides a library is known for Linux only.");
        foreach (string name in hidden)
        {
            _libraries.Write(name, []);
        }

        using SampleProcess sample = SampleProcess.Start(
            _photos.FullPath, isRead: true, ["--input", _photos.FullPath, "--output", _thumbnails.FullPath], _libraries.FullPath);
        Assert.Equal(ExitCode.Success, sample.WaitForExit());
        return sample.Output;
    }
}

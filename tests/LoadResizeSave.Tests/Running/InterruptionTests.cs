using System.Text.RegularExpressions;
using Imaging.Codecs;
using Imaging.Testing;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Tests.Infrastructure;

namespace LoadResizeSave.Tests.Pipeline;

/// <summary>Ctrl+C, as a terminal sends it.</summary>
public sealed partial class InterruptionTests : IDisposable
{
    private readonly TemporaryFolder _photos = new();
    private readonly TemporaryFolder _thumbnails = new();
    private readonly TemporaryFolder _data = new();

    public void Dispose()
    {
        _photos.Dispose();
        _thumbnails.Dispose();
        _data.Dispose();
    }

    [Fact]
    public void The_first_one_ends_the_run_with_the_figures_so_far()
    {
        SkipElsewhere();
        PhotoSet.WriteSound(_photos);
        using SampleProcess sample = Start("--format", "bmp", "--repetitions", "10000", "--figures", _thumbnails["figures.json"]);
        sample.WaitFor($"Making thumbnails: {PhotoSet.SoundCount * 10_000}");
        WaitForThumbnail();
        sample.Interrupt();

        Assert.Equal(ExitCode.Interrupted, sample.WaitForExit());
        Match figures = Figures().Match(sample.Output);
        Assert.True(figures.Success, sample.Output);
        Assert.InRange(int.Parse(figures.Groups["done"].Value), 1, (PhotoSet.SoundCount * 10_000) - 1);
        Assert.Matches($"interrupted +after {figures.Groups["done"].Value} of {PhotoSet.SoundCount * 10_000} photos", sample.Output);
        Assert.Contains("0 B at the end", sample.Output, StringComparison.Ordinal);
        Assert.Contains("0 B still idle", sample.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("sha-256", sample.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(_thumbnails["figures.json"]));
        AssertNothingIsUnfinished(_thumbnails);
    }

    [Fact]
    public void The_second_one_ends_it_at_once()
    {
        SkipElsewhere();
        PhotoSet.WriteSound(_photos);

        // Each of them gets a line, and nobody reads the lines: after 64 KiB the run comes to a halt and never ends by itself.
        for (int i = 0; i < 400; i++)
        {
            _photos.Write($"{i}{new string('x', 200)}.png", []);
        }

        using SampleProcess sample = Start(isRead: false, "--format", "bmp", "--repetitions", "10000");
        WaitForThumbnail();
        sample.Interrupt();
        sample.WaitFor("Ctrl+C again");
        sample.Interrupt();
        Assert.Equal(ExitCode.Interrupted, sample.WaitForExit());
    }

    [Fact]
    public void While_memory_comes_back_the_figures_are_there_already()
    {
        SkipElsewhere();
        _photos.Write("photo.bmp", ImageCodecs.Bmp.Encode(Picture.Random(1500, 1200)));
        using SampleProcess sample = Start("--watch-idle");
        sample.WaitFor("1 of 1");
        sample.Interrupt();
        Assert.Equal(ExitCode.Interrupted, sample.WaitForExit());
        Assert.Matches("interrupted +after the last photo, while memory came back", sample.Output);
        Assert.Contains("1 done", sample.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Test_photos_are_announced_before_they_are_painted_and_none_is_kept_half()
    {
        SkipElsewhere();
        using SampleProcess sample = SampleProcess.Start(_data.FullPath, isRead: true, ["--output", _thumbnails.FullPath]);
        sample.WaitFor("Making test photos");
        Assert.Matches(@"11 test photos, 93 megapixels, about \d+ MiB", sample.Output);
        Assert.Contains(Path.Combine(_data.FullPath, "PixelPool"), sample.Output, StringComparison.Ordinal);
        Assert.Contains("--input", sample.Output, StringComparison.Ordinal);
        sample.Interrupt();
        Assert.Equal(ExitCode.Interrupted, sample.WaitForExit());
        Assert.Matches(@"interrupted +after \d+ of 11 test photos", sample.Output);
        AssertNothingIsUnfinished(_data);
    }

    private static void SkipElsewhere() => Assert.SkipUnless(OperatingSystem.IsLinux(), "How a test sends Ctrl+C is known for Linux only.");

    private void WaitForThumbnail() => Assert.True(SpinWait.SpinUntil(() => File.Exists(_thumbnails["noise.bmp"]), TimeSpan.FromMinutes(1)));

    private SampleProcess Start(params string[] arguments) => Start(isRead: true, arguments);

    private SampleProcess Start(bool isRead, params string[] arguments) =>
        SampleProcess.Start(_data.FullPath, isRead, ["--input", _photos.FullPath, "--output", _thumbnails.FullPath, .. arguments]);

    private static void AssertNothingIsUnfinished(TemporaryFolder folder) =>
        Assert.Empty(Directory.EnumerateFiles(folder.FullPath, "*.unfinished", SearchOption.AllDirectories));

    [GeneratedRegex(@"photos +(?<done>\d+) done, 0 files skipped")]
    private static partial Regex Figures();
}

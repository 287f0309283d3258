using System.Text.RegularExpressions;
using Imaging.Codecs;
using Imaging.Testing;
using Imaging.Thumbnails;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Reporting;
using LoadResizeSave.Running;
using LoadResizeSave.Tests.CommandLine;
using LoadResizeSave.Tests.Reporting;
using Spectre.Console;

namespace LoadResizeSave.Tests.Pipeline;

/// <summary>The program from its command line to its report, in this process. Runs pause for the chart: there are few of them.</summary>
public sealed partial class WholeRunTests : IDisposable
{
    private readonly TemporaryFolder _photos = new();
    private readonly TemporaryFolder _thumbnails = new();

    /// <summary>The report is plain text, also when the tests run on a terminal.</summary>
    public WholeRunTests() => AnsiConsole.Console = AnsiConsole.Create(new AnsiConsoleSettings
    {
        Ansi = AnsiSupport.No,
        ColorSystem = ColorSystemSupport.NoColors,
        Interactive = InteractionSupport.No,
    });

    public void Dispose()
    {
        _photos.Dispose();
        _thumbnails.Dispose();
    }

    [Theory]
    [InlineData("pixelpool")]
    [InlineData("native")]
    public async Task Thumbnails_a_chart_and_a_report_are_made(string allocator)
    {
        PhotoSet.WriteSound(_photos);
        PhotoSet.WriteBroken(_photos);
        (int exitCode, string report) = await RunAsync("--allocator", allocator, "--parallelism", "2");
        Assert.Equal(ExitCode.Success, exitCode);

        string[] thumbnails = [.. Directory.GetFiles(_thumbnails.FullPath).Where(ImageCodecs.HasKnownExtension)];
        Assert.Equal(PhotoSet.SoundCount, thumbnails.Length);
        Assert.Contains(ThumbnailHash.Of(thumbnails), report, StringComparison.Ordinal);
        Assert.Contains($"{PhotoSet.SoundCount} done, {PhotoSet.BrokenFiles.Count} files skipped", report, StringComparison.Ordinal);
        Assert.All(PhotoSet.BrokenFiles, file => Assert.Matches($"{Regex.Escape(file.Key)}: .*{file.Value}", report));

        bool hasPool = allocator == "pixelpool";
        var chart = new Chart(_thumbnails["memory.svg"]);
        Assert.Contains(allocator, chart.Title, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("last photo", chart.Texts);
        Assert.True(chart.Shows("resident"));
        Assert.Equal((hasPool, hasPool), (chart.Shows("rented"), chart.Shows("idle")));
        Assert.Equal(hasPool, report.Contains(" 0 B at the end", StringComparison.Ordinal));
        Assert.Equal(hasPool ? 0 : null, Leaked(report));
    }

    [Fact]
    public async Task Figures_for_other_programs_say_what_the_report_says()
    {
        PhotoSet.WriteSound(_photos);
        (_, string report) = await RunAsync("--allocator", "gc", "--parallelism", "2", "--figures", _thumbnails["figures.json"]);

        RunFigures figures = RunFigures.Load(_thumbnails["figures.json"]);
        Assert.Equal(("gc", 2, PhotoSet.SoundCount), (figures.Allocator, figures.Parallelism, figures.Thumbnails));
        Assert.Contains($": {figures.Megapixels:0.0} megapixels in {figures.Seconds:0.00} s", report, StringComparison.Ordinal);
        Assert.Contains($"{ByteSize.Text(figures.ManagedAllocatedBytes)} allocated", report, StringComparison.Ordinal);
        Assert.Contains(
            $"{figures.Gen0Collections} gen0, {figures.Gen1Collections} gen1, {figures.Gen2Collections} gen2", report, StringComparison.Ordinal);
        Assert.Contains($"peak {ByteSize.Text(figures.PeakResidentBytes)}", report, StringComparison.Ordinal);
        Assert.InRange(figures.FinalResidentBytes, 1, figures.PeakResidentBytes);
    }

    [Fact]
    public async Task What_is_leaked_on_purpose_is_reported_and_back_at_the_end()
    {
        PhotoSet.WriteSound(_photos);
        (int exitCode, string report) = await RunAsync("--repetitions", "2", "--leak-every", "2");
        Assert.Equal(ExitCode.Success, exitCode);
        Assert.Equal(PhotoSet.SoundCount, Leaked(report));
        Assert.Contains(" 0 B at the end", report, StringComparison.Ordinal);
        Assert.Contains("finalizers", new Chart(_thumbnails["memory.svg"]).Texts);
    }

    [Fact]
    public async Task Without_one_sound_photo_it_ends_in_2()
    {
        PhotoSet.WriteBroken(_photos);
        (int exitCode, string report) = await RunAsync();
        Assert.Equal(ExitCode.NoThumbnail, exitCode);
        Assert.Contains($"0 done, {PhotoSet.BrokenFiles.Count} files skipped", report, StringComparison.Ordinal);
        Assert.DoesNotContain("sha-256", report, StringComparison.Ordinal);
        Assert.True(new Chart(_thumbnails["memory.svg"]).Shows("resident"));
    }

    [Fact]
    public async Task An_empty_folder_ends_in_2()
    {
        (int exitCode, string report) = await RunAsync();
        Assert.Equal(ExitCode.NoThumbnail, exitCode);
        Assert.Contains(_photos.FullPath, report, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--output", "file")]
    [InlineData("--output", "file/folder")]
    [InlineData("--figures", "folder")]
    [InlineData("--figures", "no/such/folder/figures.json")]
    [InlineData("--figures", "file/figures.json")]
    public async Task What_can_not_be_written_is_told_before_anything_is_done(string option, string path)
    {
        PhotoSet.WriteSound(_photos);
        using var folder = new TemporaryFolder();
        folder.Write("file", []);
        Directory.CreateDirectory(folder["folder"]);
        (int exitCode, string report) = await RunAsync(option, folder[path]);

        Assert.Equal(ExitCode.BadCommandLine, exitCode);
        Assert.Contains($"Option '{option}': {folder[path]} cannot be written", report, StringComparison.Ordinal);
        Assert.DoesNotContain("Making", report, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(_thumbnails.FullPath));
    }

    [Fact]
    public async Task A_link_to_the_photos_is_no_folder_for_thumbnails()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need rights there.");
        PhotoSet.WriteSound(_photos);
        string[] photos = [.. Directory.GetFileSystemEntries(_photos.FullPath).Order()];
        Directory.CreateSymbolicLink(_thumbnails["link"], _photos.FullPath);
        (int exitCode, string report) = await RunAsync("--output", _thumbnails["link"]);

        Assert.Equal(ExitCode.BadCommandLine, exitCode);
        Assert.Contains("same folder", report, StringComparison.Ordinal);
        Assert.Equal(photos, Directory.GetFileSystemEntries(_photos.FullPath).Order());
    }

    [Fact]
    public async Task A_chart_that_can_not_be_written_is_told_before_anything_is_done()
    {
        PhotoSet.WriteSound(_photos);
        Directory.CreateDirectory(_thumbnails["memory.svg"]);
        (int exitCode, string report) = await RunAsync();
        Assert.Equal(ExitCode.BadCommandLine, exitCode);
        Assert.Contains($"Option '--output': {_thumbnails["memory.svg"]} cannot be written", report, StringComparison.Ordinal);
        Assert.Equal([_thumbnails["memory.svg"]], Directory.GetFileSystemEntries(_thumbnails.FullPath));
    }

    [Fact]
    public async Task Looking_whether_something_can_be_written_changes_nothing()
    {
        _photos.Write("cut.png", [1]);
        _thumbnails.Write("figures.json", [1, 2, 3]);
        File.Delete(_photos["cut.png"]);
        Assert.Equal(ExitCode.NoThumbnail, (await RunAsync("--figures", _thumbnails["figures.json"])).ExitCode);
        Assert.Equal(ExitCode.NoThumbnail, (await RunAsync("--figures", _thumbnails["others.json"])).ExitCode);
        Assert.Equal([1, 2, 3], File.ReadAllBytes(_thumbnails["figures.json"]));
        Assert.Equal([_thumbnails["figures.json"]], Directory.GetFileSystemEntries(_thumbnails.FullPath));
    }

    [Fact]
    public async Task Figures_that_could_not_be_written_in_the_end_are_not_missing_thumbnails()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has a disk that is always full.");
        PhotoSet.WriteSound(_photos);
        (int exitCode, string report) = await RunAsync("--figures", "/dev/full");
        Assert.Equal(ExitCode.NoReport, exitCode);
        Assert.Contains($"{PhotoSet.SoundCount} done", report, StringComparison.Ordinal);
        Assert.Contains("could not be written", report, StringComparison.Ordinal);
        Assert.Contains("/dev/full", report, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_of_something_is_not_several()
    {
        _photos.Write("sound.bmp", ImageCodecs.Bmp.Encode(Picture.Random(900, 700)));
        _photos.Write("cut.bmp", ImageCodecs.Bmp.Encode(Picture.Random(40, 30))[..^20]);
        (_, string report) = await RunAsync("--leak-every", "1", "--parallelism", "1");
        Assert.Contains("1 done, 1 file skipped", report, StringComparison.Ordinal);
        Assert.Matches(@"leaked\W+1 rent,", report);
        Assert.DoesNotMatch(@"\b1 (files|photos|thumbnails|rents|hits|misses|megapixels)\b", report);
        Assert.StartsWith("Memory while making 1 thumbnail with", new Chart(_thumbnails["memory.svg"]).Title, StringComparison.Ordinal);
        Assert.DoesNotContain(new Chart(_thumbnails["memory.svg"]).Texts, text => text.StartsWith("1 megapixels", StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_interrupted_run_ends_in_130()
    {
        PhotoSet.WriteSound(_photos);
        CommandOutcome outcome = await Command.RunAsync(
            (settings, _) => ThumbnailRun.ExecuteAsync(settings, new CancellationToken(canceled: true)),
            "--input", _photos.FullPath, "--output", _thumbnails.FullPath);
        Assert.Equal(ExitCode.Interrupted, outcome.ExitCode);
    }

    private async Task<(int ExitCode, string Report)> RunAsync(params string[] args)
    {
        string[] folders = ["--input", _photos.FullPath, .. args.Contains("--output") ? [] : (string[])["--output", _thumbnails.FullPath]];
        CommandOutcome outcome = await Command.RunAsync(ThumbnailRun.ExecuteAsync, [.. folders, .. args]);
        return (outcome.ExitCode, TestContext.Current.TestOutputHelper!.Output);
    }

    private static int? Leaked(string report) =>
        LeakedRow().Match(report) is { Success: true } row ? int.Parse(row.Groups["rents"].Value) : null;

    [GeneratedRegex(@"leaked\W+(?<rents>\d+) rents?,")]
    private static partial Regex LeakedRow();
}

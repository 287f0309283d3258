using System.Text.RegularExpressions;
using LoadResizeSave.Codecs;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Pipeline;
using LoadResizeSave.Reporting;
using LoadResizeSave.Tests.CommandLine;
using LoadResizeSave.Tests.Infrastructure;
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
        Assert.Contains($"{PhotoSet.SoundCount} done, {PhotoSet.BrokenFiles.Count} skipped", report, StringComparison.Ordinal);
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
        Assert.Contains($"0 done, {PhotoSet.BrokenFiles.Count} skipped", report, StringComparison.Ordinal);
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

    [Fact]
    public async Task A_folder_that_can_not_be_written_to_ends_in_2()
    {
        PhotoSet.WriteSound(_photos);
        _thumbnails.Write("file", []);
        (int exitCode, string report) = await RunAsync("--output", _thumbnails["file"]);
        Assert.Equal(ExitCode.NoThumbnail, exitCode);
        Assert.Contains(_thumbnails["file"], report, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cancelled_run_ends_in_130()
    {
        PhotoSet.WriteSound(_photos);
        CommandOutcome outcome = await Command.RunAsync(
            (settings, _) => ThumbnailRun.ExecuteAsync(settings, new CancellationToken(canceled: true)),
            "--input", _photos.FullPath, "--output", _thumbnails.FullPath);
        Assert.Equal(ExitCode.Cancelled, outcome.ExitCode);
    }

    private async Task<(int ExitCode, string Report)> RunAsync(params string[] args)
    {
        string[] folders = ["--input", _photos.FullPath, .. args.Contains("--output") ? [] : (string[])["--output", _thumbnails.FullPath]];
        CommandOutcome outcome = await Command.RunAsync(ThumbnailRun.ExecuteAsync, [.. folders, .. args]);
        return (outcome.ExitCode, TestContext.Current.TestOutputHelper!.Output);
    }

    private static int? Leaked(string report) =>
        LeakedRow().Match(report) is { Success: true } row ? int.Parse(row.Groups["rents"].Value) : null;

    [GeneratedRegex(@"leaked\W+(?<rents>\d+), ")]
    private static partial Regex LeakedRow();
}

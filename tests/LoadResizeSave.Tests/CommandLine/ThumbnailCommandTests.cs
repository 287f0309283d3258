using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Testing;
using LoadResizeSave.CommandLine;

namespace LoadResizeSave.Tests.CommandLine;

public class ThumbnailCommandTests
{
    [Fact]
    public async Task Without_options_it_goes_through_the_test_photos()
    {
        CommandOutcome outcome = await Command.ReadAsync();
        Assert.Equal(ExitCode.Success, outcome.ExitCode);
        var expected = new Settings
        {
            Input = null,
            Output = Path.GetFullPath(Path.Combine("artifacts", "thumbnails")),
            Allocator = AllocatorKind.PixelPool,
            Format = ImageCodecs.Default,
            Size = 256,
            Parallelism = Environment.ProcessorCount,
            Repetitions = 5,
            LeakEvery = 0,
            WatchIdle = false,
        };
        Assert.Equal(expected, outcome.Settings);
    }

    [Fact]
    public async Task Every_option_is_heard()
    {
        using var folder = new TemporaryFolder();
        CommandOutcome outcome = await Command.ReadAsync(
            "-i", folder.FullPath, "-o", folder["out"], "--allocator", "arraypool", "--format", "ppm", "--size", "8192",
            "--parallelism", "256", "--repetitions", "10000", "--leak-every", "7", "--watch-idle",
            "--figures", folder["figures.json"]);
        Assert.Equal(ExitCode.Success, outcome.ExitCode);
        var expected = new Settings
        {
            Input = folder.FullPath,
            Output = folder["out"],
            Allocator = AllocatorKind.ArrayPool,
            Format = ImageCodecs.Ppm,
            Size = 8192,
            Parallelism = 256,
            Repetitions = 10_000,
            LeakEvery = 7,
            WatchIdle = true,
            Figures = folder["figures.json"],
        };
        Assert.Equal(expected, outcome.Settings);
    }

    [Fact]
    public async Task Photos_of_the_user_are_gone_through_once()
    {
        using var folder = new TemporaryFolder();
        CommandOutcome outcome = await Command.ReadAsync("--input", folder.FullPath);
        Assert.Equal(1, outcome.Settings!.Repetitions);
    }

    [Theory]
    [InlineData("--size 0", "between 1 and 8192")]
    [InlineData("--size 8193", "between 1 and 8192")]
    [InlineData("--size large", "large")]
    [InlineData("--size 99999999999", "99999999999")]
    [InlineData("--size", "--size")]
    [InlineData("--parallelism 0", "between 1 and 256")]
    [InlineData("--parallelism 257", "between 1 and 256")]
    [InlineData("--repetitions 0", "between 1 and 10000")]
    [InlineData("--leak-every -1", "at least 0")]
    [InlineData("--allocator hope", "hope")]
    [InlineData("--format gif", "gif")]
    [InlineData("--input no-such-folder", "no-such-folder")]
    [InlineData("--upscale", "--upscale")]
    [InlineData("photos", "photos")]
    public async Task A_wrong_command_line_is_explained_and_ends_in_1(string commandLine, string explanation)
    {
        CommandOutcome outcome = await Command.ReadAsync(commandLine.Split(' '));
        Assert.Equal(ExitCode.BadCommandLine, outcome.ExitCode);
        Assert.Contains(explanation, outcome.Error, StringComparison.Ordinal);
        Assert.Null(outcome.Settings);
    }

    [Fact]
    public async Task Thumbnails_never_replace_photos()
    {
        using var folder = new TemporaryFolder();
        string[] namesOfIt = [folder.FullPath, folder.FullPath + Path.DirectorySeparatorChar, Path.Combine(folder["sub"], "..")];
        foreach (string output in namesOfIt)
        {
            CommandOutcome outcome = await Command.ReadAsync("--input", folder.FullPath, "--output", output);
            Assert.Equal(ExitCode.BadCommandLine, outcome.ExitCode);
            Assert.Contains("same folder", outcome.Error, StringComparison.Ordinal);
            Assert.Null(outcome.Settings);
        }
    }

    [Theory]
    [InlineData("jpeg")]
    [InlineData("png")]
    [InlineData("bmp")]
    [InlineData("ppm")]
    public async Task A_format_is_written_where_its_library_is_and_refused_elsewhere(string name)
    {
        IImageCodec codec = ImageCodecs.Named(name);
        CommandOutcome outcome = await Command.ReadAsync("--format", name);
        Assert.Equal(codec.IsAvailable ? ExitCode.Success : ExitCode.BadCommandLine, outcome.ExitCode);
        Assert.Equal(codec.IsAvailable ? codec : null, outcome.Settings?.Format);
        Assert.Contains(codec.IsAvailable ? "" : codec.Library!.Name, outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_tells_the_options_and_the_exit_codes()
    {
        CommandOutcome outcome = await Command.ReadAsync("--help");
        Assert.Equal(ExitCode.Success, outcome.ExitCode);
        Assert.Null(outcome.Settings);
        string help = string.Join(' ', outcome.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        foreach (string text in (string[])
            [
                "Ctrl+C ends a run early", "Exit code: 0 thumbnails", "1 the command line", "2 not one thumbnail", "3 thumbnails were made but",
                "130 it was interrupted",
                "--input", "--output", "--allocator", "pixelpool", "--format", "--size",
                "--parallelism", "--repetitions", "--leak-every", "--watch-idle", "--figures",
            ])
        {
            Assert.Contains(text, help, StringComparison.Ordinal);
        }
    }
}

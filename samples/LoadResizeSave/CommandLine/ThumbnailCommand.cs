using System.CommandLine;
using Imaging.Codecs;
using Imaging.Memory;

namespace LoadResizeSave.CommandLine;

/// <summary>The options, their help and their checks.</summary>
internal static class ThumbnailCommand
{
    private const string Description =
        """
        Makes thumbnails of a folder of photos, in parallel: decode, resize, encode. Then shows what that took,
        and draws the memory over time into memory.svg beside the thumbnails.

        Ctrl+C ends a run early: photos that are begun are finished, and the figures so far are shown. A second
        Ctrl+C ends it at once.

        Exit code: 0 thumbnails were made (files that had to be skipped are listed), 1 the command line is wrong or
        names what cannot be written, 2 not one thumbnail could be made, 3 thumbnails were made but the chart or the
        figures could not be written, 130 it was interrupted.
        """;

    /// <summary>Once through them takes less than a second, too little to see memory move.</summary>
    private const int TestPhotoRepetitions = 5;

    public static RootCommand Create(Func<Settings, CancellationToken, Task<int>> run)
    {
        var input = new Option<DirectoryInfo>("--input", "-i")
        {
            Description = "Folder of JPEG, PNG, BMP and PPM files. Default: test photos, made on the first run.",
        };
        input.AcceptExistingOnly();

        var output = new Option<DirectoryInfo>("--output", "-o")
        {
            Description = "Folder for the thumbnails and memory.svg.",
            DefaultValueFactory = _ => new DirectoryInfo(Path.Combine("artifacts", "thumbnails")),
        };

        Option<string> allocator = OneOf(
            "--allocator", "Whose memory the images live in.", "pixelpool", Enum.GetNames<AllocatorKind>());
        Option<string> format = OneOf(
            "--format", "What thumbnails are written as.", ImageCodecs.Default.Name, ImageCodecs.All.Select(codec => codec.Name));
        Option<int> size = Number("--size", "Longer side of a thumbnail, in pixels.", 256, 1, 8192);
        Option<int> parallelism = Number("--parallelism", "Photos in work at the same time.", Environment.ProcessorCount, 1, 256);
        Option<int> repetitions = Number(
            "--repetitions", $"How often to go through the folder. Default: 1; test photos: {TestPhotoRepetitions}.", null, 1, 10_000);
        Option<int> leakEvery = Number(
            "--leak-every", "Forget to dispose every N-th photo, on purpose. 0: none.", 0, 0, int.MaxValue);
        var watchIdle = new Option<bool>("--watch-idle")
        {
            Description = "At the end wait (up to a minute) until the pool gives its memory back by itself.",
        };
        var figures = new Option<FileInfo>("--figures")
        {
            Description = "File that gets the figures of the run too, as JSON, for other programs.",
        };

        var command = new RootCommand(Description)
        {
            input, output, allocator, format, size, parallelism, repetitions, leakEvery, watchIdle, figures,
        };
        command.SetAction((result, interruption) =>
        {
            var settings = new Settings
            {
                Input = result.GetValue(input)?.FullName,
                Output = result.GetRequiredValue(output).FullName,
                Allocator = Enum.Parse<AllocatorKind>(result.GetRequiredValue(allocator), ignoreCase: true),
                Format = ImageCodecs.Named(result.GetRequiredValue(format)),
                Size = result.GetValue(size),
                Parallelism = result.GetValue(parallelism),
                Repetitions = result.GetValue(repetitions) is > 0 and int times ? times
                    : result.GetValue(input) is null ? TestPhotoRepetitions : 1,
                LeakEvery = result.GetValue(leakEvery),
                WatchIdle = result.GetValue(watchIdle),
                Figures = result.GetValue(figures)?.FullName,
            };

            if (Contradiction(settings) is { } problem)
            {
                result.InvocationConfiguration.Error.WriteLine(problem);
                return Task.FromResult(ExitCode.BadCommandLine);
            }

            // Ctrl+C is only listened to once the action has returned its task.
            return Task.Run(() => run(settings, interruption), CancellationToken.None);
        });
        return command;
    }

    /// <summary>What is wrong although every option for itself is right.</summary>
    private static string? Contradiction(Settings settings)
    {
        if (settings.Format.Library is { IsAvailable: false } library)
        {
            return $"Option '--format {settings.Format.Name}' needs {library.Name}, which was not found on this computer.";
        }

        if (settings.Input is { } photos
            && Path.TrimEndingDirectorySeparator(photos) == Path.TrimEndingDirectorySeparator(settings.Output))
        {
            return OutputPaths.SameFolder;
        }

        return null;
    }

    private static Option<string> OneOf(string name, string description, string defaultValue, IEnumerable<string> values)
    {
        var option = new Option<string>(name) { Description = description, DefaultValueFactory = _ => defaultValue };
        option.AcceptOnlyFromAmong([.. values.Select(value => value.ToLowerInvariant())]);
        return option;
    }

    private static Option<int> Number(string name, string description, int? defaultValue, int min, int max)
    {
        var option = new Option<int>(name) { Description = description };
        if (defaultValue is { } value)
        {
            option.DefaultValueFactory = _ => value;
        }

        option.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && int.TryParse(result.Tokens[0].Value, out int number) && (number < min || number > max))
            {
                result.AddError($"Option '{name}' must be {(max == int.MaxValue ? $"at least {min}" : $"between {min} and {max}")}.");
            }
        });
        return option;
    }
}

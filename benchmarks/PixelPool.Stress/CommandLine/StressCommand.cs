using System.CommandLine;
using System.CommandLine.Help;
using System.Numerics;
using PixelPool.Stress.Bursts;
using PixelPool.Stress.FreshPages;
using PixelPool.Stress.SmallBursts;
using PixelPool.Stress.SmallMemory;
using PixelPool.Stress.SmallMemory.Handover;
using PixelPool.Stress.SmallMemory.Images;
using PixelPool.Stress.SmallMemory.Mixed;
using PixelPool.Stress.SmallMemory.Swings;
using PixelPool.Stress.ThreadScaling;
using PixelPool.Stress.ThreadScaling.SideBySide;
using PixelPool.Stress.Thumbnails;
using PixelPool.Stress.Waiting;

namespace PixelPool.Stress.CommandLine;

/// <summary>The scenarios, their options and their help.</summary>
internal static class StressCommand
{
    private const string Description =
        """
        Scenarios that last: allocators side by side in whole processes, for seconds or minutes. Each writes a page with its tables (Markdown),
        its drawing (SVG) and all of its figures (CSV) into a folder; small-bursts and waiting only say what they found.
        """;

    /// <remarks>A root command would call itself what the file is called up to its last dot.</remarks>
    public static Command Create() => new("PixelPool.Stress", Description)
    {
        new HelpOption(),
        Bursts(), BurstRun.Process.Command(),
        Threads(), ThreadRun.Process.Command(), SideBySideRun.Process.Command(),
        Thumbnails(), ThumbnailRun.Command,
        Small(), ImagesRun.Process.Command(), HandoverRun.Process.Command(), MixedRun.Process.Command(), SwingsRun.Process.Command(),
        SmallBursts(), SmallBurstRun.Process.Command(),
        FreshPages(), FreshPagesRun.Process.Command(),
        Waiting(),
    };

    private static Command Bursts()
    {
        Option<DirectoryInfo> output = Output();
        Option<double> seconds = Number("--seconds", "Seconds for each contender, in whole bursts and pauses.", 120.0);
        Option<double> burst = Number("--burst", "Seconds of a burst.", 20.0);
        Option<double> pause = Number("--pause", "Seconds of a pause. The default trim policy is done after 35.", 40.0);
        Option<int> workers = Number("--workers", "Threads that rent at the same time.", Environment.ProcessorCount);
        Option<int> images = Number("--images", "Images that each of them holds.", 4);
        Option<int> seed = Number("--seed", "Of the sizes of the images.", 2026);

        var command = new Command("bursts", "Bursts of images with pauses between them: resident, rented and idle memory over time.")
        {
            output, seconds, burst, pause, workers, images, seed,
        };
        command.SetAction(arguments => BurstScenario.Execute(
            arguments.GetRequiredValue(output).FullName,
            new BurstPlan(
                arguments.GetValue(seconds),
                arguments.GetValue(burst),
                arguments.GetValue(pause),
                arguments.GetValue(workers),
                arguments.GetValue(images),
                arguments.GetValue(seed))));
        return command;
    }

    private static Command Threads()
    {
        Option<DirectoryInfo> output = Output();
        Option<double> seconds = Number("--seconds", "Seconds for each contender, size and number of threads.", 1.0);
        var command = new Command("threads", "Rent and return from 1 to 4 × cores threads: throughput and 99th percentile.") { output, seconds };
        command.SetAction(arguments => ThreadScenario.Execute(arguments.GetRequiredValue(output).FullName, arguments.GetValue(seconds)));
        return command;
    }

    private static Command Thumbnails()
    {
        Option<DirectoryInfo> output = Output();
        Option<double> seconds = Number("--seconds", "Seconds of a run with one photo at a time, about.", 5.0);
        Option<int> rounds = Number("--rounds", "How often everything is run; the median counts.", 3);
        var photos = new Option<DirectoryInfo>("--photos") { Description = "Folder of photos. Default: the sample's test photos." };
        photos.AcceptExistingOnly();

        var command = new Command("thumbnails", "Load, resize, save: the sample's pipeline on every allocator, with 1, cores and 4 × cores photos at a time.")
        {
            output, seconds, rounds, photos,
        };
        command.SetAction(arguments => ThumbnailScenario.Execute(
            arguments.GetRequiredValue(output).FullName,
            new ThumbnailPlan(arguments.GetValue(photos)?.FullName, arguments.GetValue(seconds), arguments.GetValue(rounds))));
        return command;
    }

    private static Command Small()
    {
        Option<DirectoryInfo> output = Output();
        var parts = new Option<SmallPart[]>("--parts")
        {
            Description = "What is measured; the page has nothing else.",
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => Enum.GetValues<SmallPart>(),
        };
        Option<long> steps = Number("--steps", "Rents and returns of the swings, for each contender.", 3_000_000L);
        Option<int> seed = Number("--seed", "Of sizes and order.", 2026);

        var command = new Command("small", "Small memory beside its peers: many images, hand-overs, mixed sizes, what stays resident when little is left.")
        {
            output, parts, steps, seed,
        };
        command.SetAction(arguments => SmallScenario.Execute(
            arguments.GetRequiredValue(output).FullName,
            new SmallPlan(arguments.GetRequiredValue(parts), arguments.GetValue(steps), arguments.GetValue(seed))));
        return command;
    }

    private static Command SmallBursts()
    {
        Option<int> mebibytes = Number("--mebibytes", "MiB that are held at the peak.", 2048);
        Option<int> threads = Number("--threads", "Threads that take pieces. Half of the pieces are returned by as many others.", 8);
        Option<int> rounds = Number("--rounds", "Bursts.", 3);
        Option<int> seed = Number("--seed", "Of the sizes of the pieces.", 2026);

        var command = new Command("small-bursts", "Bursts of small images and objects, returned on other threads: what is left after a trim. Fails if more than 16 MiB are.")
        {
            mebibytes, threads, rounds, seed,
        };
        command.SetAction(arguments => SmallBurstScenario.Execute(new SmallBurstPlan(
            (long)arguments.GetValue(mebibytes) << 20,
            arguments.GetValue(threads),
            arguments.GetValue(rounds),
            arguments.GetValue(seed))));
        return command;
    }

    private static Command FreshPages()
    {
        Option<DirectoryInfo> output = Output();
        Option<int> pause = Number("--pause", "Seconds before each rent.", 10);

        var command = new Command("fresh-pages", "The first write to fresh memory, in huge pages while they are fast and in small ones: at once, and after a pause in which a host may have taken free memory.")
        {
            output, pause,
        };
        command.SetAction(arguments => FreshPagesScenario.Execute(arguments.GetRequiredValue(output).FullName, arguments.GetValue(pause)));
        return command;
    }

    private static Command Waiting()
    {
        Option<int> loads = Number("--loads", "Threads that load and resize a photo at the same time.", 16);
        Option<int> clients = Number("--clients", "Clients of a service that await their memory at the same time.", 24);
        Option<int> rounds = Number("--rounds", "How often everything is run.", 1);
        Option<int> seed = Number("--seed", "Of sizes and pauses.", 2026);

        var command = new Command("waiting", "Operations that hold memory while they ask for more, under budgets that have no room for all: fails if any waits forever, or a deadlock is not reported.")
        {
            loads, clients, rounds, seed,
        };
        command.SetAction(arguments => WaitingScenario.Execute(new WaitingPlan(
            arguments.GetValue(loads),
            arguments.GetValue(clients),
            arguments.GetValue(rounds),
            arguments.GetValue(seed))));
        return command;
    }

    private static Option<DirectoryInfo> Output() => new("--output", "-o")
    {
        Description = "Folder for the page, the drawing and the figures.",
        DefaultValueFactory = _ => new DirectoryInfo(Path.Combine("artifacts", "stress")),
    };

    private static Option<T> Number<T>(string name, string description, T defaultValue)
        where T : struct, INumber<T>
    {
        var option = new Option<T>(name) { Description = description, DefaultValueFactory = _ => defaultValue };
        option.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && T.TryParse(result.Tokens[0].Value, null, out T number) && !(number > T.Zero))
            {
                result.AddError($"Option '{name}' must be more than 0.");
            }
        });
        return option;
    }
}

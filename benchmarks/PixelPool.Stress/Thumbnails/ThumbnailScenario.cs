using LoadResizeSave.Codecs.Jpeg;
using LoadResizeSave.Reporting;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.Thumbnails;

/// <summary>Load, resize, save under stress: the sample's pipeline on every allocator it knows.</summary>
internal static class ThumbnailScenario
{
    private const string Name = "stress-thumbnails";

    /// <summary>The sample's own limit.</summary>
    private const int MostAtATime = 256;

    private static readonly (string Allocator, string Title)[] s_contenders =
        [("pixelpool", "PixelPool"), ("arraypool", "ArrayPool<byte>.Shared"), ("native", "NativeMemory (malloc)"), ("gc", "new byte[]")];

    public static void Execute(string folder, ThumbnailPlan plan)
    {
        // Makes the test photos, too, where they are missing.
        RunFigures once = ThumbnailRun.InFreshProcess(new ThumbnailJob(plan.Photos, s_contenders[0].Allocator, 1, 1));
        int[] parallelisms = [.. new SortedSet<int> { 1, Environment.ProcessorCount, Math.Min(4 * Environment.ProcessorCount, MostAtATime) }];

        // Two photos at least for each of those that work at the same time.
        double repetitions = Math.Max(plan.Seconds / once.Seconds, 2.0 * parallelisms[^1] / once.Thumbnails);
        Execute(folder, plan, once, parallelisms, (int)Math.Ceiling(repetitions));
    }

    private static void Execute(string folder, ThumbnailPlan plan, RunFigures once, int[] parallelisms, int repetitions)
    {
        Console.WriteLine($"{repetitions} times through {once.Thumbnails} photos, {once.Megapixels:0} megapixels; {plan.Rounds} rounds");
        IReadOnlyList<ThumbnailResult> results = Measure(plan, parallelisms, repetitions);

        Directory.CreateDirectory(folder);
        WriteCsv(Path.Combine(folder, $"{Name}.csv"), results);
        ThumbnailChart.Save(Path.Combine(folder, $"{Name}.svg"), results, parallelisms);
        WritePage(Path.Combine(folder, $"{Name}.md"), plan, once, repetitions, results, parallelisms);
    }

    /// <summary>Round by round, so that a machine that gets slower for a while does so for everybody.</summary>
    private static ThumbnailResult[] Measure(ThumbnailPlan plan, int[] parallelisms, int repetitions)
    {
        ThumbnailResult[] results =
        [
            .. parallelisms.SelectMany(parallelism => s_contenders.Select(
                contender => new ThumbnailResult(contender.Title, contender.Allocator, parallelism, []))),
        ];
        for (int round = 1; round <= plan.Rounds; round++)
        {
            for (int i = 0; i < results.Length; i++)
            {
                ThumbnailResult result = results[i];
                Console.WriteLine($"round {round}: {result.Title}, {result.Parallelism} at a time …");
                RunFigures figures = ThumbnailRun.InFreshProcess(
                    new ThumbnailJob(plan.Photos, result.Allocator, result.Parallelism, repetitions));
                results[i] = result with { Rounds = [.. result.Rounds, figures] };
            }
        }

        return results;
    }

    private static void WritePage(
        string path, ThumbnailPlan plan, RunFigures once, int repetitions, IReadOnlyList<ThumbnailResult> results, int[] parallelisms)
    {
        string photos = plan.Photos is null ? "the sample's test photos" : "photos";
        string encoding = TurboJpegLibrary.IsAvailable ? "as JPEG with libjpeg-turbo" : "as PNG, because libjpeg-turbo is not installed";
        var page = new ReportPage(
            "Load, resize, save under stress",
            $"""
            The pipeline of `samples/LoadResizeSave`: decode {photos} ({once.Thumbnails} files, {once.Megapixels:0} megapixels, gone through {repetitions} ×),
            resize them to 256 pixels, encode them {encoding}. Every run has a process of its own; runs: {plan.Rounds} of each, of which the median counts.
            """);
        page.AddImage("Resident memory, peak and final, of each allocator", $"{Name}.svg");
        foreach (int parallelism in parallelisms)
        {
            page.AddHeading(parallelism == 1 ? "One photo at a time" : $"{parallelism} photos at a time");
            page.AddTable(Table([.. results.Where(result => result.Parallelism == parallelism)]));
        }

        page.AddText(
            $"""
            *Final* is what was resident at the end of a run, after `Trim()` for PixelPool and after two forced, compacting collections for all others.
            libjpeg-turbo's own memory is in all figures. Every run is in [{Name}.csv]({Name}.csv).
            """);
        page.Save(path);
    }

    private static ReportTable Table(ThumbnailResult[] results)
    {
        var table = new ReportTable(
            "Allocator", "megapixels/s", "time ratio", "managed MiB", "gen2 collections", "peak resident, MiB", "final resident, MiB");
        foreach (ThumbnailResult result in results)
        {
            table.Add(
                $"`{result.Title}`",
                Figures.ThreeDigits(result.MegapixelsPerSecond),
                Figures.Ratio(result.Seconds / results[0].Seconds),
                Figures.ThreeDigits(result.ManagedMebibytes),
                $"{result.Gen2Collections:0.#}",
                $"{result.PeakMebibytes:#,0}",
                $"{result.FinalMebibytes:#,0}");
        }

        return table;
    }

    private static void WriteCsv(string path, IReadOnlyList<ThumbnailResult> results)
    {
        var csv = new CsvFile(
            "allocator,parallelism,round,thumbnails,megapixels,seconds,managed_bytes,gen0,gen1,gen2,peak_resident_bytes,final_resident_bytes");
        foreach (ThumbnailResult result in results)
        {
            for (int i = 0; i < result.Rounds.Count; i++)
            {
                RunFigures run = result.Rounds[i];
                csv.Add($"{run.Allocator},{run.Parallelism},{i + 1},{run.Thumbnails},{run.Megapixels:0.###},{run.Seconds:0.0000},"
                    + $"{run.ManagedAllocatedBytes},{run.Gen0Collections},{run.Gen1Collections},{run.Gen2Collections},"
                    + $"{run.PeakResidentBytes},{run.FinalResidentBytes}");
            }
        }

        csv.Save(path);
    }
}

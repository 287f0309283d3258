using Imaging.Codecs;
using Imaging.Memory;
using PixelPool.Measuring;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.Thumbnails;

/// <summary>Load, resize, save under stress: the sample's pipeline on every allocator it knows.</summary>
internal static class ThumbnailScenario
{
    private const string Name = "stress-thumbnails";

    /// <summary>More photos at a time than this are more than any machine has memory for.</summary>
    private const int MostAtATime = 256;

    private static readonly (AllocatorKind Allocator, string Title)[] s_contenders =
    [
        (AllocatorKind.PixelPool, "PixelPool"),
        (AllocatorKind.ArrayPool, "ArrayPool<byte>.Shared"),
        (AllocatorKind.Native, "NativeMemory (malloc)"),
        (AllocatorKind.Gc, "new byte[]"),
    ];

    public static void Execute(string folder, ThumbnailPlan plan)
    {
        // Makes the test photos, too, where they are missing.
        ThumbnailFigures once = ThumbnailRun.InFreshProcess(new ThumbnailJob(plan.Photos, s_contenders[0].Allocator, 1, 1));
        int[] parallelisms = [.. new SortedSet<int> { 1, Environment.ProcessorCount, Math.Min(4 * Environment.ProcessorCount, MostAtATime) }];

        // Two photos at least for each of those that work at the same time.
        double repetitions = Math.Max(plan.Seconds / once.Seconds, 2.0 * parallelisms[^1] / once.Thumbnails);
        Execute(folder, plan, once, parallelisms, (int)Math.Ceiling(repetitions));
    }

    private static void Execute(string folder, ThumbnailPlan plan, ThumbnailFigures once, int[] parallelisms, int repetitions)
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
                ThumbnailFigures figures = ThumbnailRun.InFreshProcess(
                    new ThumbnailJob(plan.Photos, result.Allocator, result.Parallelism, repetitions));
                results[i] = result with { Rounds = [.. result.Rounds, figures] };
            }
        }

        return results;
    }

    private static void WritePage(
        string path, ThumbnailPlan plan, ThumbnailFigures once, int repetitions, IReadOnlyList<ThumbnailResult> results, int[] parallelisms)
    {
        string photos = plan.Photos is null ? "the sample's test photos" : "photos";
        var page = new ReportPage(
            "Load, resize, save under stress",
            $"""
            The pipeline of `samples/LoadResizeSave`: decode {photos} ({once.Thumbnails} files, {once.Megapixels:0} megapixels, gone through {repetitions} ×),
            resize them to {ThumbnailRun.Size} pixels, encode them as {ImageCodecs.Default.Name.ToUpperInvariant()}. Every run has a process of its own; runs: {plan.Rounds} of each, of which the median counts.
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
                ThumbnailFigures run = result.Rounds[i];
                csv.Add($"{result.Allocator.ToString().ToLowerInvariant()},{result.Parallelism},{i + 1},{run.Thumbnails},{run.Megapixels:0.###},{run.Seconds:0.0000},"
                    + $"{run.Managed.AllocatedBytes},{run.Managed.Gen0},{run.Managed.Gen1},{run.Managed.Gen2},"
                    + $"{run.PeakResidentBytes},{run.FinalResidentBytes}");
            }
        }

        csv.Save(path);
    }
}

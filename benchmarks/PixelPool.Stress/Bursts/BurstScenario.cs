using PixelPool.Measuring;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.Bursts;

/// <summary>Bursts of images with pauses between them: who is fast in the one, and small in the other?</summary>
internal static class BurstScenario
{
    private const string Name = "stress-bursts";

    public static void Execute(string folder, BurstPlan plan)
    {
        var results = new List<(BurstContender Contender, BurstResult Result)>();
        Console.WriteLine(
            $"seed {plan.Seed}: {plan.Rounds} × ({plan.BurstSeconds} s burst, {plan.PauseSeconds} s pause) for {BurstContender.All.Count} contenders");
        foreach (BurstContender contender in BurstContender.All)
        {
            Console.WriteLine($"{contender.Title} …");
            results.Add((contender, BurstRun.Process.Run(new BurstJob(contender.Name, plan))));
        }

        Directory.CreateDirectory(folder);
        WriteCsv(Path.Combine(folder, $"{Name}.csv"), results);
        BurstChart.Save(Path.Combine(folder, $"{Name}.svg"), results);
        WritePage(Path.Combine(folder, $"{Name}.md"), plan, results);
    }

    private static void WritePage(string path, BurstPlan plan, List<(BurstContender Contender, BurstResult Result)> results)
    {
        var page = new ReportPage(
            "Bursts and pauses",
            $"""
            {plan.Workers} workers rent images for {plan.BurstSeconds} s, as fast as they can, then nothing happens for {plan.PauseSeconds} s.
            Each holds {plan.Images} images of {BurstPlan.SmallestMebibytes} to {BurstPlan.LargestMebibytes} MiB, as many in every doubling (seed {plan.Seed}):
            it returns the oldest, rents another, and writes into every page of it.
            Every contender has a process of its own; nobody calls `Trim` or `GC.Collect`.
            """);
        page.AddImage("Resident, rented and idle memory over time, one panel for each contender", $"{Name}.svg");
        page.AddHeading("Memory");
        page.AddTable(MemoryTable(plan, results));
        page.AddText("*Below ¼* is the time from a burst's last return until less than a quarter of the contender's own peak was resident.");
        page.AddHeading("Speed");
        page.AddTable(SpeedTable(results));
        page.AddText(
            $"""
            A latency is a return, a rent and a write into every page of the new image: the sizes are mixed, and all threads are busy.
            Every sample is in [{Name}.csv]({Name}.csv).
            """);
        page.Save(path);
    }

    private static ReportTable MemoryTable(BurstPlan plan, List<(BurstContender Contender, BurstResult Result)> results)
    {
        IEnumerable<string> pauses = Enumerable.Range(1, plan.Rounds)
            .SelectMany(round => (string[])[$"end of pause {round}, MiB", $"below ¼ after, s"]);
        var table = new ReportTable(["Contender", "peak resident, MiB", .. pauses]);
        foreach ((BurstContender contender, BurstResult result) in results)
        {
            IEnumerable<string> cells = result.Rounds.SelectMany(round => (string[])
            [
                Figures.Mebibytes(result.ResidentAfter(round)),
                result.SecondsToQuarter(round) is { } seconds ? $"{seconds:0.0}" : "never",
            ]);
            table.Add([$"`{contender.Title}`", Figures.Mebibytes(result.PeakResident), .. cells]);
        }

        return table;
    }

    private static ReportTable SpeedTable(List<(BurstContender Contender, BurstResult Result)> results)
    {
        var table = new ReportTable("Contender", "rents per second", "to the first", "median", "99 %");
        foreach ((BurstContender contender, BurstResult result) in results)
        {
            table.Add(
                $"`{contender.Title}`",
                Figures.ThreeDigits(result.RentsPerSecond),
                Figures.Ratio(result.RentsPerSecond / results[0].Result.RentsPerSecond),
                Figures.Nanoseconds(result.P50),
                Figures.Nanoseconds(result.P99));
        }

        return table;
    }

    private static void WriteCsv(string path, List<(BurstContender Contender, BurstResult Result)> results)
    {
        var csv = new CsvFile("contender,seconds,resident_bytes,rented_bytes,idle_bytes,managed_heap_bytes");
        foreach ((BurstContender contender, BurstResult result) in results)
        {
            foreach (BurstSample sample in result.Samples)
            {
                csv.Add($"{contender.Name},{sample.Seconds:0.000},{sample.Resident},{sample.Rented},{sample.Idle},{sample.Managed}");
            }
        }

        csv.Save(path);
    }
}

using PixelPool.Measuring;
using PixelPool.Stress.Reporting;
using PixelPool.Stress.ThreadScaling.SideBySide;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>Rent and return from more and more threads: who gets faster with them, who slower, and whom do some of them wait for?</summary>
internal static class ThreadScenario
{
    private const string Name = "stress-threads";

    public static void Execute(string folder, double seconds)
    {
        int[] threads = [.. ThreadCounts(Environment.ProcessorCount)];
        Console.WriteLine($"{string.Join(", ", threads)} threads, {seconds} s each, after warming up");
        var results = new List<ThreadResult>();
        foreach (RentWorkload workload in RentWorkload.All)
        {
            foreach (RentContender contender in RentContender.All.Where(contender => workload.Side != 0 || contender.HasSizes))
            {
                Console.WriteLine($"{workload.Title}: {contender.Title} …");
                ThreadPoint[] points = ThreadRun.Process.Run(new ThreadJob(contender.Name, workload.Name, threads, seconds));
                results.Add(new ThreadResult(contender, workload, points));
            }
        }

        Directory.CreateDirectory(folder);
        WriteCsv(Path.Combine(folder, $"{Name}.csv"), results);
        ThreadChart.Save(Path.Combine(folder, $"{Name}.svg"), results);
        WritePage(folder, seconds, results);
    }

    /// <summary>Doubling from 1 to four times the cores; the cores themselves are always among them.</summary>
    private static SortedSet<int> ThreadCounts(int cores)
    {
        var counts = new SortedSet<int> { cores, 4 * cores };
        for (int count = 1; count < 4 * cores; count *= 2)
        {
            counts.Add(count);
        }

        return counts;
    }

    private static void WritePage(string folder, double seconds, List<ThreadResult> results)
    {
        var page = new ReportPage(
            "Rent and return against the number of threads",
            $"""
            Every thread rents and returns, untouched, for {seconds} s: one image at a time, or it holds eight of random sizes and exchanges one of them each time. Each contender and size has a process of its own, in
            which the number of threads grows. The budget is 8 GiB, which is never full. Latencies are those of every 64th rent with its return; what a thread waits between two rents, because
            there are more threads than cores, is not in them. Memory that is never touched flatters `NativeMemory`: its page faults come with the first
            touch. What they cost is in the bursts.
            """);
        page.AddImage("Throughput and 99th percentile against the number of threads", $"{Name}.svg");
        foreach (RentWorkload workload in RentWorkload.All)
        {
            ThreadResult[] contenders = [.. results.Where(result => result.Workload == workload)];
            page.AddHeading(workload.Title);
            page.AddTable(Table("million rents/s", contenders, point => Figures.ThreeDigits(point.RentsPerSecond / 1e6)));
            page.AddTable(Table("to one thread", contenders, (point, one) => Figures.Ratio(point.RentsPerSecond / one.RentsPerSecond)));
            page.AddTable(Table("99 %", contenders, point => Figures.Nanoseconds(point.P99)));
        }

        SideBySidePart.Execute(page, Path.Combine(folder, $"{Name}-side-by-side.csv"));
        page.AddText($"Medians and the 99.9th percentiles are in [{Name}.csv]({Name}.csv), the figures of the last table in [{Name}-side-by-side.csv]({Name}-side-by-side.csv).");
        page.Save(Path.Combine(folder, $"{Name}.md"));
    }

    private static ReportTable Table(string what, ThreadResult[] contenders, Func<ThreadPoint, string> cell) =>
        Table(what, contenders, (point, _) => cell(point));

    private static ReportTable Table(string what, ThreadResult[] contenders, Func<ThreadPoint, ThreadPoint, string> cell)
    {
        IEnumerable<string> counts = contenders[0].Points.Select(point => point.Threads == 1 ? "1 thread" : $"{point.Threads} threads");
        var table = new ReportTable([what, .. counts]);
        foreach (ThreadResult result in contenders)
        {
            table.Add([$"`{result.Contender.Title}`", .. result.Points.Select(point => cell(point, result.Points[0]))]);
        }

        return table;
    }

    private static void WriteCsv(string path, List<ThreadResult> results)
    {
        var csv = new CsvFile("workload,contender,threads,rents_per_second,p50_ns,p99_ns,p999_ns");
        foreach (ThreadResult result in results)
        {
            foreach (ThreadPoint point in result.Points)
            {
                string series = $"{result.Workload.Name},{result.Contender.Name}";
                csv.Add($"{series},{point.Threads},{point.RentsPerSecond:0},{point.P50:0},{point.P99:0},{point.P999:0}");
            }
        }

        csv.Save(path);
    }
}

using System.Globalization;
using PixelPool.Measuring;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.FreshPages;

/// <summary>What fresh memory costs when it is written for the first time: in huge pages and in small ones, at once and after a pause.</summary>
internal static class FreshPagesScenario
{
    private const long HugePageBytes = 2 << 20;
    private const int Rounds = 5;

    public static void Execute(string folder, int pauseSeconds)
    {
        Directory.CreateDirectory(folder);
        var page = new ReportPage(
            "Fresh memory in a burst",
            string.Create(
                CultureInfo.InvariantCulture,
                $"""
                An image of {FreshPagesRun.ImageBytes >> 20} MiB is rented, written twice, returned, and its memory given back to the system, {Rounds} times in a process. *At once*: as fast as it goes,
                so the memory was in use a moment ago. *After a pause*: {pauseSeconds} seconds before each rent, in which the process holds no memory. The host of a virtual machine may take
                free memory back in that time, and mostly takes it in pieces as large as huge pages. Medians.
                """));
        var table = new ReportTable("µs for 2 MiB", "fresh, at once", "fresh, after a pause", "written again");
        Add(table, "default: huge pages while they are fast", useHugePages: true, pauseSeconds);
        Add(table, "small pages", useHugePages: false, pauseSeconds);
        page.AddTable(table);
        page.Save(Path.Combine(folder, "stress-fresh-pages.md"));
    }

    private static void Add(ReportTable table, string name, bool useHugePages, int pauseSeconds)
    {
        // The first rent of each process finds what the process before has left.
        IEnumerable<FreshPagesRound> atOnce = FreshPagesRun.Process.Run(new FreshPagesJob(useHugePages, 0, Rounds + 1)).Skip(1);
        FreshPagesRound[] later = FreshPagesRun.Process.Run(new FreshPagesJob(useHugePages, pauseSeconds, Rounds));
        table.Add(
            name,
            Microseconds(atOnce.Select(round => round.FreshSeconds)),
            Microseconds(later.Select(round => round.FreshSeconds)),
            Microseconds(later.Select(round => round.AgainSeconds)));
    }

    private static string Microseconds(IEnumerable<double> seconds) =>
        Figures.ThreeDigits(seconds.Order().ElementAt(Rounds / 2) * 1e6 * HugePageBytes / FreshPagesRun.ImageBytes);
}

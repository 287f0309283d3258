using PixelPool.Measuring;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.SmallMemory.Images;

/// <summary>Many small images that are held, filled, converted and returned, on more and more threads.</summary>
internal static class ImagesPart
{
    private static readonly SmallContender[] s_contenders =
    [
        SmallContender.BufferArrays, SmallContender.LeaseArrays, SmallContender.BufferSlabs, SmallContender.LeaseSlabs,
        SmallContender.ArrayPool, SmallContender.Native, SmallContender.LockedStack, SmallContender.NewArray,
    ];

    public static void Execute(SmallReport report)
    {
        List<ImagesResult> results = Measure();
        report.Page.AddHeading("Images of 100 × 100 pixels");
        report.Page.AddText(
            $"""
            Each thread rents {ImagesPlan.Held:#,0} images of {ImagesPlan.Side} × {ImagesPlan.Side} pixels of 4 bytes, fills each, and holds all of them. For each of them it then
            rents another image, converts the pixels of the first into it one by one, and returns it at once. At the end it returns all it holds. That is a
            round. All threads start a round together, and a round takes as long as its slowest thread. Pillow's arenas were measured with this
            program and {ImagesPlan.ManyThreads} threads. Each contender and number of threads has a process of its own; code is warmed up with small rounds, memory with one whole
            round, and the times are the mean of {ImagesPlan.MeasuredRounds} rounds. In these most contenders still get memory, because the threads come to hold more at the same time than in the round before.
            *Later rounds* are the median of {ImagesPlan.LaterRounds} more.
            """);
        report.Page.AddTable(RoundTable([.. results.Where(result => result.Threads == ImagesPlan.ManyThreads)]));
        report.Page.AddText(
            """
            Resident memory is that of the whole process: its peak; after the last round, when everything is returned and the threads are still there;
            and after `Trim()`, where there is such a thing.
            """);
        ImagesChart.Save(report.PathOf(".svg"), s_contenders, results);
        report.Page.AddImage("Images per second against the number of threads", SmallReport.FileName(".svg"));
        report.Page.AddTable(Table("thousand images/s", results, result => Figures.ThreeDigits(result.ImagesPerSecond / 1e3)));
        report.Page.AddTable(Table("peak resident, MiB", results, result => Figures.Mebibytes(result.Figures.PeakResident)));
        results.ForEach(result => AddFigures(report, result));
    }

    private static void AddFigures(SmallReport report, ImagesResult result)
    {
        ImagesFigures figures = result.Figures;
        Add("round_ms", figures.RoundSeconds * 1e3);
        Add("images_per_second", result.ImagesPerSecond);
        if (figures.LaterRoundSeconds is { } later)
        {
            Add("later_round_ms", later * 1e3);
        }

        Add("peak_resident_bytes", figures.PeakResident);
        Add("returned_resident_bytes", figures.ResidentReturned);
        if (figures.ResidentTrimmed is { } trimmed)
        {
            Add("trimmed_resident_bytes", trimmed);
        }

        void Add(string figure, double value) => report.AddFigure("images", result.Contender, $"{result.Threads} threads", figure, value);
    }

    private static List<ImagesResult> Measure()
    {
        var results = new List<ImagesResult>();
        foreach (SmallContender contender in s_contenders)
        {
            Console.WriteLine($"images: {contender.Title} …");
            results.AddRange(ImagesPlan.Threads.Select(
                threads => new ImagesResult(contender, threads, ImagesRun.Process.Run(new ImagesJob(contender.Name, threads)))));
        }

        return results;
    }

    private static ReportTable RoundTable(ImagesResult[] results)
    {
        ImagesFigures floor = results.First(result => result.Contender == SmallContender.LockedStack).Figures;
        var table = new ReportTable(
            $"{ImagesPlan.ManyThreads} threads", "ms per round", "to one lock", "later rounds, ms", "to one lock, later", "peak resident, MiB", "all returned, MiB", "trimmed, MiB");
        foreach ((SmallContender contender, int _, ImagesFigures figures) in results)
        {
            table.Add(
                $"`{contender.Title}`",
                Figures.ThreeDigits(figures.RoundSeconds * 1e3),
                Figures.Ratio(figures.RoundSeconds / floor.RoundSeconds),
                Figures.ThreeDigits(figures.LaterRoundSeconds!.Value * 1e3),
                Figures.Ratio(figures.LaterRoundSeconds.Value / floor.LaterRoundSeconds!.Value),
                Figures.Mebibytes(figures.PeakResident),
                Figures.Mebibytes(figures.ResidentReturned),
                figures.ResidentTrimmed is { } trimmed ? Figures.Mebibytes(trimmed) : "–");
        }

        return table;
    }

    private static ReportTable Table(string what, List<ImagesResult> results, Func<ImagesResult, string> cell)
    {
        var table = new ReportTable([what, .. ImagesPlan.Threads.Select(threads => threads == 1 ? "1 thread" : $"{threads} threads")]);
        foreach (IGrouping<SmallContender, ImagesResult> contender in results.GroupBy(result => result.Contender))
        {
            table.Add([$"`{contender.Key.Title}`", .. contender.Select(cell)]);
        }

        return table;
    }
}

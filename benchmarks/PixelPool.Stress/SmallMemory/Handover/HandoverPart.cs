using PixelPool.Measuring;
using PixelPool.Stress.Measuring;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.SmallMemory.Handover;

/// <summary>Rented by one thread, returned by another.</summary>
internal static class HandoverPart
{
    private const int Rounds = 2;

    private static readonly (string Title, int Bytes)[] s_sizes =
        [("64 B", 64), ("4 KiB", 4 << 10), ("40 KiB", 40 << 10), ("640 KiB", 640 << 10), ("1 MiB", 1 << 20), ("4 MiB", 4 << 20)];

    private static readonly SmallContender[] s_contenders =
        [SmallContender.LeaseArrays, SmallContender.LeaseSlabs, SmallContender.BufferArrays, SmallContender.ArrayPool, SmallContender.Native];

    public static void Execute(SmallReport report)
    {
        Dictionary<(SmallContender, int), HandoverInterval[]> intervals = Measure();
        report.Page.AddHeading("Rented by one thread, returned by another");
        report.Page.AddText(
            $"""
            A thread rents pieces of one size, writes the first pixel of each, and sends them through a ring of {HandoverRun.RingCapacity} without locks. A second thread
            writes the first pixel again and returns the piece. Nothing else is written, so large pieces flatter those that get fresh memory.
            Pieces of 4 MiB are whole blocks.

            How fast that goes depends on how far the processors of the two threads are from each other, and the host of a virtual machine moves them while a program runs.
            So before and after each interval of {HandoverRun.Interval.TotalSeconds} s the threads measure a *hop*: the time until one of them sees what the other one wrote. There is a
            table for each length of hops. Intervals during which it changed are left out. The figures are medians of what is left of {Rounds * HandoverRun.Intervals} intervals in
            {Rounds} processes; in brackets is how many these are.
            """);
        foreach (HandoverDistance distance in HandoverDistance.All.Where(distance => intervals.Values.SelectMany(all => all).Any(distance.Includes)))
        {
            AddTable(report, intervals, distance);
        }
    }

    // Round by round, so that each contender has its share of every distance.
    private static Dictionary<(SmallContender, int), HandoverInterval[]> Measure()
    {
        var intervals = new Dictionary<(SmallContender, int), HandoverInterval[]>();
        foreach ((string title, int bytes) in Enumerable.Repeat(s_sizes, Rounds).SelectMany(sizes => sizes))
        {
            Console.WriteLine($"handover: {title} …");
            foreach (SmallContender contender in s_contenders)
            {
                HandoverInterval[] before = intervals.GetValueOrDefault((contender, bytes), []);
                intervals[(contender, bytes)] = [.. before, .. HandoverRun.Process.Run(new HandoverJob(contender.Name, bytes))];
            }
        }

        return intervals;
    }

    private static void AddTable(SmallReport report, Dictionary<(SmallContender, int), HandoverInterval[]> intervals, HandoverDistance distance)
    {
        var table = new ReportTable([$"million hand-overs/s, {distance.Title}", .. s_sizes.Select(size => size.Title)]);
        foreach (SmallContender contender in s_contenders)
        {
            var cells = new List<string>();
            foreach ((string title, int bytes) in s_sizes)
            {
                double[] rates = [.. intervals[(contender, bytes)].Where(distance.Includes).Select(interval => interval.Rate)];
                if (rates.Length == 0)
                {
                    cells.Add("–");
                    continue;
                }

                double rate = Quartiles.Of(rates).Median;
                cells.Add($"{Figures.ThreeDigits(rate / 1e6)} ({rates.Length})");
                report.AddFigure($"handover ({distance.Name})", contender, title, "handovers_per_second", rate);
                report.AddFigure($"handover ({distance.Name})", contender, title, "intervals", rates.Length);
            }

            table.Add([$"`{contender.Title}`", .. cells]);
        }

        report.Page.AddTable(table);
    }
}

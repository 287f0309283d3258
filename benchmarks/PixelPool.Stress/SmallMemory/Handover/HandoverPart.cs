using PixelPool.Measuring;
using PixelPool.Stress.Measuring;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.SmallMemory.Handover;

/// <summary>Rented by one thread, returned by another.</summary>
internal static class HandoverPart
{
    private static readonly (string Title, int Bytes)[] s_sizes =
        [("64 B", 64), ("4 KiB", 4 << 10), ("40 KiB", 40 << 10), ("640 KiB", 640 << 10), ("4 MiB", 4 << 20)];

    private static readonly SmallContender[] s_contenders =
        [SmallContender.LeaseArrays, SmallContender.LeaseSlabs, SmallContender.BufferArrays, SmallContender.ArrayPool, SmallContender.Native];

    public static void Execute(SmallReport report)
    {
        var table = new ReportTable(["million hand-overs/s", .. s_sizes.Select(size => size.Title)]);
        foreach (SmallContender contender in s_contenders)
        {
            Console.WriteLine($"handover: {contender.Title} …");
            double[] rates = [.. s_sizes.Select(size => HandoverRun.Process.Run(new HandoverJob(contender.Name, size.Bytes)))];
            table.Add([$"`{contender.Title}`", .. rates.Select(rate => Figures.ThreeDigits(rate / 1e6))]);
            for (int i = 0; i < rates.Length; i++)
            {
                report.AddFigure("handover", contender, s_sizes[i].Title, "handovers_per_second", rates[i]);
            }
        }

        report.Page.AddHeading("Rented by one thread, returned by another");
        report.Page.AddText(
            $"""
            A thread rents pieces of one size, writes the first pixel of each, and sends them through a ring of {HandoverRun.RingCapacity} without locks. A second thread
            writes the first pixel again and returns the piece. Nothing else is written, so large pieces flatter those that get fresh memory. The
            figures are the best of {SteadyRate.Intervals} intervals of {SteadyRate.Interval.TotalSeconds} s, after a second that warms up. Pieces of 4 MiB are whole blocks.
            """);
        report.Page.AddTable(table);
    }
}

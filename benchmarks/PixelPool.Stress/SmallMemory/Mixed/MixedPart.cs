using PixelPool.Measuring;
using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.SmallMemory.Mixed;

/// <summary>Random sizes in random order.</summary>
internal static class MixedPart
{
    private static readonly int[] s_threads = [1, 2, 4];

    private static readonly SmallContender[] s_contenders =
        [SmallContender.LeaseArrays, SmallContender.LeaseSlabs, SmallContender.ArrayPool, SmallContender.Native];

    public static void Execute(SmallReport report, int seed)
    {
        var table = new ReportTable(["million steps/s", .. s_threads.Select(threads => threads == 1 ? "1 thread" : $"{threads} threads")]);
        foreach (SmallContender contender in s_contenders)
        {
            Console.WriteLine($"mixed: {contender.Title} …");
            double[] rates = [.. s_threads.Select(threads => MixedRun.Process.Run(new MixedJob(contender.Name, threads, seed)))];
            table.Add([$"`{contender.Title}`", .. rates.Select(rate => Figures.ThreeDigits(rate / 1e6))]);
            for (int i = 0; i < rates.Length; i++)
            {
                report.AddFigure("mixed", contender, $"{s_threads[i]} threads", "steps_per_second", rates[i]);
            }
        }

        report.Page.AddHeading("Random sizes in random order");
        report.Page.AddText(
            $"""
            Each thread holds {MixedRun.HeldPieces} pieces of 64 bytes to 1 MiB, as many in every doubling (seed {seed}). A step returns one of them, whichever chance
            says, rents another of a random size in its place, and writes its first pixel. The figures are of all threads together: the best of
            {SteadyRate.Intervals} intervals of {SteadyRate.Interval.TotalSeconds} s, after a second that warms up.
            """);
        report.Page.AddTable(table);
    }
}

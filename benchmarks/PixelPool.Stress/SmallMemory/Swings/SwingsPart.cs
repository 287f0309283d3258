using System.Globalization;
using PixelPool.Measuring;

namespace PixelPool.Stress.SmallMemory.Swings;

/// <summary>What is resident when little is left of what lived.</summary>
internal static class SwingsPart
{
    private static readonly SmallContender[] s_contenders = [SmallContender.LeaseSlabs, SmallContender.Native];

    public static void Execute(SmallReport report, long steps, int seed)
    {
        var table = new ReportTable("resident to live memory", "low points", "the largest", "the last");
        foreach (SmallContender contender in s_contenders)
        {
            Console.WriteLine($"swings: {contender.Title} …");
            LowPoint[] lowPoints = SwingsRun.Process.Run(new SwingsJob(contender.Name, steps, seed));
            table.Add(
                $"`{contender.Title}`", $"{lowPoints.Length}", Figures.Ratio(lowPoints.Max(low => low.Ratio)), Figures.Ratio(lowPoints[^1].Ratio));
            for (int i = 0; i < lowPoints.Length; i++)
            {
                string lowPoint = $"low point {i + 1}";
                report.AddFigure("swings", contender, lowPoint, "live_bytes", lowPoints[i].LiveBytes);
                report.AddFigure("swings", contender, lowPoint, "resident_bytes", lowPoints[i].ResidentBytes);
            }
        }

        report.Page.AddHeading("Much memory, then a tenth of it");
        report.Page.AddText(
            string.Create(
                CultureInfo.InvariantCulture,
                $"""
                A thread rents pieces of 64 bytes to 1 MiB, as many in every doubling (seed {seed}), writes all of each, and returns them in random order. Live memory,
                the bytes that were asked for, rises to {SwingsRun.PeakBytes >> 20:#,0} MiB and falls to a tenth of that, again and again, for {steps:#,0} rents and returns. At each low point
                `Trim()` is called, where there is such a thing, and the resident memory above that before the first rent is divided by live memory.
                For slabs it should be at most 1.5.
                """));
        report.Page.AddTable(table);
    }
}

using System.Globalization;
using PixelPool.Measuring;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>The price of a rent beside two locked operations, and what a second thread adds.</summary>
internal static class SideBySidePart
{
    private const int Rounds = 31;

    public static void Execute(ReportPage page, string csvPath)
    {
        Console.WriteLine("side by side …");
        SideBySideFigures[][] figures = SideBySideRun.Process.Run(Rounds);
        SideBySideFigures[] floor = figures[0];
        var table = new ReportTable("one process, by turns", "one thread", "to two locked operations", "two threads to one", "quartiles");
        var csv = new CsvFile("case,alone_ns,to_floor,scaling,scaling_q1,scaling_q3");
        foreach ((SideBySideCase @case, SideBySideFigures[] rounds) in SideBySideCase.All.Zip(figures))
        {
            double alone = Quartiles.Of(rounds.SelectMany(round => round.Alone)).Median;
            double ratio = Quartiles.Of(rounds.Zip(floor, (round, least) => round.Alone.Sum() / least.Alone.Sum())).Median;
            var scaling = Quartiles.Of(rounds.Select(round => round.Scaling));
            table.Add(
                $"`{@case.Title}`",
                Figures.Nanoseconds(alone),
                Figures.Ratio(ratio),
                Figures.Ratio(scaling.Median),
                $"{Figures.Ratio(scaling.Lower)} – {Figures.Ratio(scaling.Upper)}");
            csv.Add(string.Create(CultureInfo.InvariantCulture, $"{@case.Name},{alone:0.0},{ratio:0.000},{scaling.Median:0.000},{scaling.Lower:0.000},{scaling.Upper:0.000}"));
        }

        page.AddHeading("One thread and two, side by side");
        page.AddText(
            $"""
            In each of {Rounds} rounds every case runs on one thread, on two, and on the other one, for {SideBySideRun.Time.TotalMilliseconds} ms each, in one process: what neighbours and the host of a virtual machine do
            meets all of them. Each thread rents its own memory, untouched. *One thread* is the median; the other figures are medians of what was found in each round.
            In the first three rows the threads share nothing: what these lack of twice as much is the machine's, or the collector's. The third row is an object as large as a
            `PixelBuffer`, and nothing else.
            """);
        page.AddTable(table);
        csv.Save(csvPath);
    }
}

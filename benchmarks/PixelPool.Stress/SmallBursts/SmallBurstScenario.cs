using PixelPool.Measuring;

namespace PixelPool.Stress.SmallBursts;

/// <summary>
/// Bursts of small pieces, written to on every page, half of them returned by other threads than those that took them. After a trim nothing may be rented or idle, and
/// hardly anything resident. It says so, and fails if it is not so. Peers go through the same, and are only reported.
/// </summary>
internal static class SmallBurstScenario
{
    // What the runtime may have grown by meanwhile. The start is measured after a small burst.
    private const long MostLeftBytes = 16L << 20;

    /// <returns>The exit code: 0, or 1 when something was left behind.</returns>
    public static int Execute(SmallBurstPlan plan)
    {
        var table = new ReportTable("after a burst, MiB", "round", "at the peak", "returned", "trimmed", "");
        bool isClean = true;
        foreach (SmallBurstContender contender in SmallBurstContender.All)
        {
            SmallBurstRound[] rounds = SmallBurstRun.Process.Run(new SmallBurstJob(contender.Name, plan));
            for (int i = 0; i < rounds.Length; i++)
            {
                SmallBurstRound round = rounds[i];
                bool isRoundClean = round.IsAccounted && round.LeftBytes <= MostLeftBytes;
                isClean &= isRoundClean || !contender.IsBound;
                table.Add(
                    contender.Title,
                    $"{i + 1}",
                    Figures.Mebibytes(round.PeakBytes),
                    $"+{Figures.Mebibytes(round.ReturnedBytes)}",
                    contender.IsBound ? $"+{Figures.Mebibytes(round.LeftBytes)}" : "",
                    !contender.IsBound ? "" : isRoundClean ? "clean" : "NOT CLEAN");
            }
        }

        Console.WriteLine("Resident memory: at the peak, and what there is more of it than at the start when everything was returned, and after the trim.");
        Console.WriteLine();
        Console.Write(table);
        return isClean ? 0 : 1;
    }
}

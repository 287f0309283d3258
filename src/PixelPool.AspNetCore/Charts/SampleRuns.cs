using PixelPool.AspNetCore.History;
using PixelPool.AspNetCore.Reports;

namespace PixelPool.AspNetCore.Charts;

/// <summary>Finds samples that belong together.</summary>
internal static class SampleRuns
{
    /// <summary>A timer that comes so late did not run: nobody looked.</summary>
    private static readonly double s_gapSeconds = 10 * MemoryHistory.Period.TotalSeconds;

    /// <summary>Stretches of time in which somebody looked. Between them nothing is known.</summary>
    public static List<List<SampleReport>> Looked(IEnumerable<SampleReport> samples) =>
        Split(samples, static (previous, sample) => previous.SecondsAgo - sample.SecondsAgo < s_gapSeconds);

    /// <summary>Stretches of time in which requests waited.</summary>
    public static IEnumerable<List<SampleReport>> Waited(IEnumerable<SampleReport> samples) =>
        Split(samples, static (previous, sample) => previous.WaitingRents > 0 == sample.WaitingRents > 0).Where(static run => run[0].WaitingRents > 0);

    /// <summary>The samples with more leaks than the one before.</summary>
    public static IEnumerable<SampleReport> Leaked(IReadOnlyList<SampleReport> samples) =>
        samples.Where((sample, i) => i > 0 && sample.LeakedCount > samples[i - 1].LeakedCount);

    private static List<List<SampleReport>> Split(IEnumerable<SampleReport> samples, Func<SampleReport, SampleReport, bool> belongTogether)
    {
        var runs = new List<List<SampleReport>>();
        foreach (SampleReport sample in samples)
        {
            if (runs.Count == 0 || !belongTogether(runs[^1][^1], sample))
            {
                runs.Add([]);
            }

            runs[^1].Add(sample);
        }

        return runs;
    }
}

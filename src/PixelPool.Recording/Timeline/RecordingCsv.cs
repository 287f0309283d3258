using System.Globalization;

namespace PixelPool.Diagnostics;

/// <summary>A recording as comma-separated values (RFC 4180, but for the line ends).</summary>
internal sealed class RecordingCsv(MemoryTimeline timeline)
{
    private const string Header =
        "elapsed_seconds,resident_bytes,rented_bytes,idle_bytes,budget_bytes,charged_bytes,waiting_rents,waits,trimmed_bytes,leaked_rents,leaked_bytes,moment";

    private const string NoPool = ",,,,,,,,,";

    public void Write(TextWriter writer)
    {
        writer.Write(Header + "\n");
        int nextMoment = 0;
        foreach (MemorySample sample in timeline.Samples)
        {
            writer.Write(FormattableString.Invariant($"{sample.Elapsed.TotalSeconds:0.######},{sample.ResidentBytes}"));
            writer.Write(timeline.HasPool ? Figures(sample.Pool) : NoPool);
            writer.Write(',');

            // Each moment's sample is among the samples, in the same order.
            if (nextMoment < timeline.Moments.Count && timeline.Moments[nextMoment].Sample == sample)
            {
                writer.Write(Quoted(timeline.Moments[nextMoment++].Name));
            }

            writer.Write('\n');
        }
    }

    private static string Figures(in PixelPoolStatistics pool) => string.Format(
        CultureInfo.InvariantCulture,
        ",{0},{1},{2},{3},{4},{5},{6},{7},{8}",
        pool.RentedBytes,
        pool.IdleBytes,
        pool.BudgetBytes,
        pool.ChargedBytes,
        pool.WaitingRents,
        pool.Waits,
        pool.TrimmedBytes,
        pool.LeakedCount,
        pool.LeakedBytes);

    private static string Quoted(string text) => text.IndexOfAny([',', '"', '\n', '\r']) < 0 ? text : "\"" + text.Replace("\"", "\"\"") + "\"";
}

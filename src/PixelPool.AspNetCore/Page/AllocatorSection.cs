using PixelPool.AspNetCore.Reports;

namespace PixelPool.AspNetCore.Page;

/// <summary>All about one allocator: its figures, its memory over time, who waits, and who holds what.</summary>
internal static class AllocatorSection
{
    public static void Write(HtmlWriter html, AllocatorReport allocator)
    {
        html.Add($"""<section><h2>{allocator.Name}</h2>""");
        WriteTiles(html, allocator);
        new HistoryChart(allocator).Write(html);
        WaitTable.Write(html, allocator);
        RentTable.Write(html, allocator);
        CounterTable.Write(html, allocator.Statistics);
        html.Add($"""</section>""");
    }

    private static void WriteTiles(HtmlWriter html, AllocatorReport allocator)
    {
        PixelPoolStatistics statistics = allocator.Statistics;
        html.Add($"""<dl class="tiles">""");
        WriteTile(html, string.Empty, "Rented", ByteSize.FormatRounded(statistics.RentedBytes), FormattableString.Invariant($"{allocator.HeldCount} held"));
        WriteTile(html, string.Empty, "Idle in the pool", ByteSize.FormatRounded(statistics.IdleBytes), $"peak {ByteSize.FormatRounded(statistics.PeakHeldBytes)} held");
        WriteBudget(html, statistics);
        WriteTile(
            html,
            statistics.WaitingRents > 0 ? "warn" : string.Empty,
            "Waiting",
            FormattableString.Invariant($"{statistics.WaitingRents}"),
            statistics.WaitingRents > 0 ? $"for up to {AgeText.Format(statistics.LongestWait)}" : $"{Plural.Of(statistics.Waits, "wait")} so far");
        WriteTile(
            html,
            statistics.LeakedCount > 0 ? "bad" : string.Empty,
            "Leaked",
            FormattableString.Invariant($"{statistics.LeakedCount}"),
            statistics.LeakedCount > 0 ? $"{ByteSize.FormatRounded(statistics.LeakedBytes)}, not disposed" : "so far");
        WriteTile(
            html,
            statistics.SecondReturns > 0 ? "bad" : string.Empty,
            "Disposed twice",
            FormattableString.Invariant($"{statistics.SecondReturns}"),
            "so far");
        html.Add($"""</dl>""");
    }

    private static void WriteBudget(HtmlWriter html, in PixelPoolStatistics statistics)
    {
        if (statistics.BudgetBytes is not { } budget)
        {
            WriteTile(html, string.Empty, "Budget", "none", "rents are not limited");
            return;
        }

        double share = Math.Min(1, (double)statistics.ChargedBytes / budget);
        html.Add($"""<div><dt>Budget in use</dt><dd><b>{FormattableString.Invariant($"{100 * share:0} %")}</b> {ByteSize.FormatRounded(statistics.ChargedBytes)} of {ByteSize.FormatRounded(budget)}""");
        html.Add($"""<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="6"/><rect class="{(share > 0.9 ? "full" : "part")}" width="{100 * share}" height="6"/></svg></dd></div>""");
    }

    private static void WriteTile(HtmlWriter html, string state, string name, string value, string more) =>
        html.Add($"""<div class="{state}"><dt>{name}</dt><dd><b>{value}</b> {more}</dd></div>""");
}

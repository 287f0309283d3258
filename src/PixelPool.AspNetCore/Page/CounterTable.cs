
namespace PixelPool.AspNetCore.Page;

/// <summary>What an allocator did since it was created, for those who ask further.</summary>
internal static class CounterTable
{
    public static void Write(HtmlWriter html, in PixelPoolStatistics statistics)
    {
        html.Add($"""<details open><summary>Since the allocator was created</summary><dl class="counters">""");
        WriteCount(html, "Rents", statistics.Rents);
        WriteCount(html, "… from idle blocks", statistics.Hits);
        WriteCount(html, "… with new blocks", statistics.Misses);
        WriteCount(html, "… small", statistics.SmallRents);
        WriteCount(html, "… over the pool's capacity", statistics.UnpooledRents);
        WriteSize(html, "Got from the system", statistics.AllocatedBytes);
        WriteSize(html, "Given back to the system", statistics.ReleasedBytes);
        WriteSize(html, "Trimmed by the timer", statistics.TrimmedByTimerBytes);
        WriteSize(html, "… after collections", statistics.TrimmedByGen2Bytes);
        WriteSize(html, "… because memory was short", statistics.TrimmedByPressureBytes + statistics.TrimmedByOutOfMemoryBytes);
        WriteSize(html, "… by request", statistics.TrimmedByRequestBytes);
        WriteSize(html, "… for the budget", statistics.TrimmedByBudgetBytes);
        WriteSize(html, "External memory that is charged", statistics.ExternalBytes);
        WriteCount(html, "Waits for budget", statistics.Waits);
        WriteCount(html, "… that were long", statistics.LongWaits);
        WriteCount(html, "Refused by the budget", statistics.BudgetRefusals);
        html.Add($"""</dl></details>""");
    }

    private static void WriteCount(HtmlWriter html, string name, long count) => html.Add($"""<div><dt>{name}</dt><dd>{count}</dd></div>""");

    private static void WriteSize(HtmlWriter html, string name, long bytes) => html.Add($"""<div><dt>{name}</dt><dd>{ByteSize.FormatRounded(bytes)}</dd></div>""");
}

using PixelPool.Diagnostics.Drawing;
using PixelPool.Diagnostics.Text;

namespace PixelPool.Diagnostics.Charts;

/// <summary>Says what the symbols of a recording's drawing mean: only those that there are.</summary>
internal static class MemoryLegend
{
    public static Legend Create(bool hasPool, long? budget, bool showsBudget, IEnumerable<MarkKind> marks, double left, double right)
    {
        var legend = new Legend(left, right);
        legend.AddLine("resident", "resident (the system's count)");
        if (hasPool)
        {
            legend.AddArea("rented", "rented");
            legend.AddArea("idle", "idle in the pool");
        }

        if (budget is { } bytes)
        {
            legend.AddLine("budget", $"budget: {ByteSize.Format(bytes)}{(showsBudget ? string.Empty : ", far above")}");
        }

        foreach (MarkKind kind in marks)
        {
            AddMark(legend, kind);
        }

        return legend;
    }

    private static void AddMark(Legend legend, MarkKind kind)
    {
        switch (kind)
        {
            case MarkKind.Trim:
                legend.Add("""<path class="trim" d="M5 -9h12l-6 10z"/>""", "given back to the system");
                break;
            case MarkKind.Wait:
                legend.Add("""<rect class="wait" x="2" y="-8" width="18" height="7" rx="3.5"/>""", "requests wait for budget");
                break;
            default:
                legend.Add("""<path class="leak" d="M7 -8l8 8m0 -8l-8 8"/>""", "leaked: a finalizer returned it");
                break;
        }
    }
}

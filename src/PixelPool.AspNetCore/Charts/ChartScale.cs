using PixelPool.AspNetCore.Reports;
using PixelPool.Diagnostics.Drawing;

namespace PixelPool.AspNetCore.Charts;

/// <summary>Where times and sizes are in a chart. All in pixels.</summary>
internal sealed class ChartScale
{
    public const int Width = 960;
    public const int Height = 286;
    public const int Left = 76;
    public const int Right = Width - 76;
    public const int Top = 30;
    public const int Bottom = Height - 34;

    /// <summary>A budget so far above everything else that the rest would be flat with it is not drawn.</summary>
    private const int MaxBudgetShare = 3;

    public ChartScale(AllocatorReport allocator)
    {
        long highest = allocator.History.Max(static sample => Math.Max(sample.ResidentBytes, sample.HeldBytes));
        long? budget = allocator.Statistics.BudgetBytes;
        Budget = budget / MaxBudgetShare <= highest ? budget : null;
        Time = new TimeWindow(allocator.History[0].SecondsAgo, Left, Right);
        Bytes = LinearAxis.ForBytes(Math.Max(highest, Budget ?? 0), Bottom, Top);
    }

    public TimeWindow Time { get; }

    public LinearAxis Bytes { get; }

    /// <summary>The budget, if it is drawn.</summary>
    public long? Budget { get; }

    public List<(double X, double Y)> Points(IEnumerable<SampleReport> samples, Func<SampleReport, long> bytes) =>
        PlotLine.Highest(samples.Select(sample => (Time.At(sample.SecondsAgo), Bytes.At(bytes(sample)))));
}

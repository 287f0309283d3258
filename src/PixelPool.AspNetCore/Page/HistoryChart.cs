using PixelPool.AspNetCore.Charts;
using PixelPool.AspNetCore.Reports;
using PixelPool.Diagnostics.Drawing;

namespace PixelPool.AspNetCore.Page;

/// <summary>Draws memory over time as the recorder does: areas of what is rented and idle, a line of what is resident, and what happened meanwhile.</summary>
internal sealed class HistoryChart(AllocatorReport allocator)
{
    private readonly ChartScale _scale = new(allocator);

    public void Write(HtmlWriter html)
    {
        WriteLegend(html);
        html.Add($"""<svg class="chart" viewBox="0 0 {Number(ChartScale.Width)} {Number(ChartScale.Height)}" role="img"><title>Memory of {allocator.Name} over time</title>""");
        WriteWaits(html);
        WriteGrid(html);
        foreach (List<SampleReport> run in SampleRuns.Looked(allocator.History))
        {
            html.Add($"""<path class="idle" d="{PlotLine.Area(_scale.Points(run, static sample => sample.HeldBytes), ChartScale.Bottom)}"/>""");
            html.Add($"""<path class="rented" d="{PlotLine.Area(_scale.Points(run, static sample => sample.RentedBytes), ChartScale.Bottom)}"/>""");
            html.Add($"""<path class="resident" d="{PlotLine.Along(_scale.Points(run, static sample => sample.ResidentBytes))}"/>""");
        }

        WriteBudget(html);
        WriteLeaks(html);
        WriteNow(html);
        html.Add($"""</svg>""");
    }

    private static string Number(int pixels) => FormattableString.Invariant($"{pixels}");

    private void WriteLegend(HtmlWriter html)
    {
        html.Add($"""<ul class="legend"><li><svg viewBox="0 0 22 12"><path class="resident" d="M0 6H22"/></svg>resident, the whole process</li>""");
        html.Add($"""<li><svg viewBox="0 0 22 12"><rect class="rented" width="22" height="12" rx="2"/></svg>rented</li><li><svg viewBox="0 0 22 12"><rect class="idle" width="22" height="12" rx="2"/></svg>idle in the pool</li>""");
        if (allocator.Statistics.BudgetBytes is { } budget)
        {
            html.Add($"""<li><svg viewBox="0 0 22 12"><path class="budget" d="M0 6H22"/></svg>budget: {ByteSize.FormatRounded(budget)}{(_scale.Budget is null ? ", far above" : string.Empty)}</li>""");
        }

        html.Add($"""<li><svg viewBox="0 0 22 12"><rect class="wait" y="3" width="22" height="6" rx="3"/></svg>requests wait</li><li><svg viewBox="0 0 22 12"><path class="leak" d="M7 2l8 8m0 -8l-8 8"/></svg>leaked</li></ul>""");
    }

    private void WriteGrid(HtmlWriter html)
    {
        foreach (AxisMark mark in _scale.Bytes.Marks)
        {
            html.Add($"""<path class="{(mark.Position == ChartScale.Bottom ? "axis" : "grid")}" d="M{(double)ChartScale.Left} {mark.Position}H{(double)ChartScale.Right}"/><text class="end" x="{(double)ChartScale.Left - 8}" y="{mark.Position + 4}">{mark.Label}</text>""");
        }

        foreach (AxisMark mark in _scale.Time.Marks)
        {
            html.Add($"""<path class="axis" d="M{mark.Position} {(double)ChartScale.Bottom}v5"/><text class="middle" x="{mark.Position}" y="{(double)ChartScale.Bottom + 21}">{mark.Label}</text>""");
        }
    }

    private void WriteWaits(HtmlWriter html)
    {
        foreach (List<SampleReport> run in SampleRuns.Waited(allocator.History))
        {
            double x = _scale.Time.At(run[0].SecondsAgo);
            double width = Math.Max(_scale.Time.At(run[^1].SecondsAgo) - x, 7);
            html.Add($"""<g><title>{Plural.Of(run.Max(static sample => sample.WaitingRents), "request")} at once</title><rect class="wait-band" x="{x}" y="12" width="{width}" height="{(double)ChartScale.Bottom - 12}"/><rect class="wait" x="{x}" y="9" width="{width}" height="7" rx="3.5"/></g>""");
        }
    }

    private void WriteBudget(HtmlWriter html)
    {
        if (_scale.Budget is { } budget)
        {
            html.Add($"""<path class="budget" d="M{(double)ChartScale.Left} {_scale.Bytes.At(budget)}H{(double)ChartScale.Right}"/>""");
        }
    }

    private void WriteLeaks(HtmlWriter html)
    {
        foreach (SampleReport sample in SampleRuns.Leaked(allocator.History))
        {
            double x = _scale.Time.At(sample.SecondsAgo);
            html.Add($"""<g><title>{Plural.Of(sample.LeakedCount, "leak")} so far</title><path class="leak-line" d="M{x} 13V{(double)ChartScale.Bottom}"/><path class="leak" d="M{x - 4} 9l8 8m0 -8l-8 8"/></g>""");
        }
    }

    private void WriteNow(HtmlWriter html)
    {
        SampleReport last = allocator.History[^1];
        (double x, double y) = (_scale.Time.At(last.SecondsAgo), _scale.Bytes.At(last.ResidentBytes));
        html.Add($"""<circle class="dot" cx="{x}" cy="{y}" r="4"/><text class="value" x="{x + 10}" y="{y + 4}">{ByteSize.FormatRounded(last.ResidentBytes)}</text>""");
    }
}

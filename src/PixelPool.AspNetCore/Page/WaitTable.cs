using PixelPool.AspNetCore.Reports;

namespace PixelPool.AspNetCore.Page;

/// <summary>Who waits for budget.</summary>
internal static class WaitTable
{
    public static void Write(HtmlWriter html, AllocatorReport allocator)
    {
        if (allocator.Waiting.Count == 0)
        {
            return;
        }

        html.Add($"""<h3>Waiting for budget</h3><div class="scroll"><table><thead><tr><th>Asked for at</th><th>For</th><th>Waits for the</th><th class="number">Size</th><th class="number">Waiting</th></tr></thead><tbody>""");
        foreach (WaitReport wait in allocator.Waiting)
        {
            html.Add($"""<tr><td>""");
            PlaceText.Write(html, wait.Place);
            html.Add($"""</td><td>{wait.Tag}</td><td>{wait.Budget}</td><td class="number">{ByteSize.FormatRounded(wait.Bytes)}</td><td class="number">{AgeText.Format(TimeSpan.FromSeconds(wait.WaitedSeconds))}</td></tr>""");
        }

        html.Add($"""</tbody></table></div>""");
        if (allocator.Statistics.WaitingRents > allocator.Waiting.Count)
        {
            html.Add($"""<p class="note">{allocator.Statistics.WaitingRents} requests wait. Those are listed that have waited longest.</p>""");
        }
    }
}

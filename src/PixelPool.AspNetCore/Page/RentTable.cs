using PixelPool.AspNetCore.Reports;
using PixelPool.Diagnostics;

namespace PixelPool.AspNetCore.Page;

/// <summary>Which lines of code hold what, and for how long.</summary>
internal static class RentTable
{
    public static void Write(HtmlWriter html, AllocatorReport allocator)
    {
        html.Add($"""<h3>Held now, by place</h3>""");
        if (allocator.Held.Count == 0)
        {
            html.Add($"""<p class="note">Nothing is held.</p>""");
            return;
        }

        html.Add($"""<div class="scroll"><table><thead><tr><th>Rented at</th><th>For</th><th class="number">Count</th><th class="number">Size</th><th class="share"></th><th class="number">Newest</th><th class="number">Oldest</th></tr></thead><tbody>""");
        long most = Math.Max(1, allocator.Held.Max(static group => group.Bytes));
        foreach (RentGroup group in allocator.Held)
        {
            WriteRow(html, group, 100.0 * group.Bytes / most);
        }

        html.Add($"""</tbody></table></div>""");
        if (allocator.PlaceCount > allocator.Held.Count)
        {
            html.Add($"""<p class="note">There are {allocator.PlaceCount} places. Those are listed that hold most.</p>""");
        }

        if (allocator.Held.Any(static group => group.Kind == RentKind.Reservation))
        {
            html.Add($"""<p class="note">What is rented of a reservation is listed, too.</p>""");
        }

        if (allocator.Held.Any(static group => group.Place is null))
        {
            html.Add($"""<p class="note">Places and ages are recorded for some rents only. LeakTracking.Full records all of them.</p>""");
        }
    }

    private static void WriteRow(HtmlWriter html, RentGroup group, double share)
    {
        html.Add($"""<tr><td>""");
        PlaceText.Write(html, group.Place);
        if (group.Holder == RentHolder.View)
        {
            html.Add($"""<p class="holder">disposed, but held by a view or a pin that was made at</p>""");
            PlaceText.Write(html, group.HolderPlace);
        }

        html.Add($"""</td><td>{group.Tag}{Kind(group)}</td><td class="number">{(long)group.Count}</td><td class="number">{ByteSize.FormatRounded(group.Bytes)}</td>""");
        html.Add($"""<td class="share"><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="part" width="{share}" height="6"/></svg></td>""");
        html.Add($"""<td class="number">{Age(group.NewestSeconds)}</td><td class="number">{Age(group.OldestSeconds)}</td></tr>""");
    }

    private static string Kind(RentGroup group)
    {
        string? kind = group.Kind switch { RentKind.ExternalCharge => "external charge", RentKind.Reservation => "reservation", _ => null };
        return kind is null ? string.Empty : group.Tag is null ? kind : $" ({kind})";
    }

    private static string Age(double? seconds) => seconds is { } age ? AgeText.Format(TimeSpan.FromSeconds(age)) : string.Empty;
}

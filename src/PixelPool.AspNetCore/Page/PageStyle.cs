using System.Security.Cryptography;
using System.Text;

namespace PixelPool.AspNetCore.Page;

/// <summary>How the page looks: in the colours of the recorder's drawings, on light and on dark screens.</summary>
internal static class PageStyle
{
    /// <summary>The rules. Browsers read line ends as line feeds, and compare the hash of that.</summary>
    public static readonly string Text = Rules.ReplaceLineEndings("\n");

    /// <summary>What the policy of the page names them by, so that no other style is used.</summary>
    public static readonly string Hash = $"sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(Text)))}";

    private const string Rules =
        """

        :root {
          --back: #f5f7f9; --card: #ffffff; --border: #d9dee5; --ink: #1d2733; --muted: #5c6878; --grid: #edf0f3; --frame: #aab4c0; --link: #1f63ad;
          --rented: #2f7dd1; --idle: #a9cdf0; --budget: #7c3aed; --wait: #d97706; --leak: #dc2626;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #0c1015; --card: #12171e; --border: #36404d; --ink: #e8edf3; --muted: #9aa7b6; --grid: #222a34; --frame: #4a5665; --link: #7db5f0;
            --rented: #3f8ade; --idle: #24486d; --budget: #b79bff; --wait: #fbbf24; --leak: #f87171;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 20px 24px 32px; max-width: 1060px; background: var(--back); color: var(--ink); font: 14px/1.45 system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
        header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 20px; margin: 0 4px 14px; }
        h1 { font-size: 21px; margin: 0; }
        h2 { font-size: 17px; margin: 0 0 12px; overflow-wrap: anywhere; }
        h3 { font-size: 14px; margin: 20px 0 6px; }
        p { margin: 0; }
        a { color: var(--link); }
        nav { display: flex; flex-wrap: wrap; gap: 14px; margin-left: auto; color: var(--muted); font-variant-numeric: tabular-nums; }
        .process, .note, .muted, .holder { color: var(--muted); }
        .process b { color: var(--ink); }
        .note { margin-top: 6px; font-size: 13px; }
        section { background: var(--card); border: 1px solid var(--border); border-radius: 12px; padding: 18px 22px; margin-bottom: 18px; }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(146px, 1fr)); gap: 10px; margin: 0 0 16px; }
        .tiles > div { border: 1px solid var(--border); border-radius: 8px; padding: 9px 12px; }
        .tiles dt { color: var(--muted); font-size: 12.5px; }
        .tiles dd { margin: 0; color: var(--muted); font-size: 12px; }
        .tiles b { display: block; color: var(--ink); font-size: 20px; font-weight: 600; line-height: 1.35; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .tiles .warn { border-color: var(--wait); }
        .tiles .warn b { color: var(--wait); }
        .tiles .bad { border-color: var(--leak); }
        .tiles .bad b { color: var(--leak); }
        .bar { display: block; width: 100%; height: 6px; border-radius: 3px; margin-top: 4px; }
        .bar .rail { fill: var(--grid); }
        .bar .part { fill: var(--rented); }
        .bar .full { fill: var(--wait); }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 20px; list-style: none; margin: 0 0 4px; padding: 0; font-size: 12.5px; }
        .legend svg { width: 22px; height: 12px; margin-right: 8px; vertical-align: -1px; }
        .chart { display: block; width: 100%; height: auto; }
        .chart text { fill: var(--ink); font-size: 12.5px; }
        .chart .middle { text-anchor: middle; }
        .chart .end { text-anchor: end; }
        .chart .value { font-weight: 600; }
        .rented { fill: var(--rented); }
        .idle { fill: var(--idle); }
        .resident { fill: none; stroke: var(--ink); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
        .dot { fill: var(--ink); stroke: var(--card); stroke-width: 1.5; }
        .budget { fill: none; stroke: var(--budget); stroke-width: 1.5; stroke-dasharray: 7 4; }
        .wait { fill: var(--wait); }
        .wait-band { fill: var(--wait); fill-opacity: 0.16; }
        .leak { fill: none; stroke: var(--leak); stroke-width: 2.5; stroke-linecap: round; }
        .leak-line { stroke: var(--leak); stroke-opacity: 0.5; }
        .grid { stroke: var(--grid); }
        .axis { stroke: var(--frame); }
        .scroll { overflow-x: auto; }
        table { width: 100%; border-collapse: collapse; font-size: 13px; }
        th { text-align: left; font-weight: 600; color: var(--muted); font-size: 12.5px; }
        th, td { padding: 5px 14px 5px 0; border-bottom: 1px solid var(--grid); vertical-align: top; }
        th:last-child, td:last-child { padding-right: 0; }
        td:first-child { max-width: 480px; overflow-wrap: anywhere; }
        td.share { width: 90px; padding-top: 8px; }
        .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
        code { display: block; width: fit-content; font: 12.5px/1.4 ui-monospace, "Cascadia Mono", "SF Mono", "DejaVu Sans Mono", monospace; }
        code.file { color: var(--muted); font-size: 11.5px; }
        .holder { font-size: 12px; margin-top: 2px; }
        details { margin-top: 18px; }
        summary { font-weight: 600; cursor: pointer; }
        .counters { display: grid; grid-template-columns: repeat(auto-fill, minmax(272px, 1fr)); gap: 0 28px; margin: 8px 0 0; font-size: 13px; }
        .counters > div { display: flex; justify-content: space-between; border-bottom: 1px solid var(--grid); padding: 3px 0; }
        .counters dt { color: var(--muted); }
        .counters dd { margin: 0; font-variant-numeric: tabular-nums; }

        """;
}

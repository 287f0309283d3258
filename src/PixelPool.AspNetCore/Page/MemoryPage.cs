using System.Globalization;
using PixelPool.AspNetCore.Reports;

namespace PixelPool.AspNetCore.Page;

/// <summary>The page that people look at.</summary>
internal static class MemoryPage
{
    /// <param name="report">What is shown.</param>
    /// <param name="refreshSeconds">After how many seconds it loads itself again; 0: never.</param>
    public static string Write(MemoryReport report, int refreshSeconds)
    {
        var html = new HtmlWriter();
        html.Add($"""<!DOCTYPE html>""");
        html.Add($"""<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">""");
        if (refreshSeconds > 0)
        {
            html.Add($"""<meta http-equiv="refresh" content="{refreshSeconds.ToString(CultureInfo.InvariantCulture)}">""");
        }

        html.Add($"""<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>PixelPool</title>""");
        html.AddStyle();
        html.Add($"""</head><body><header><h1>PixelPool</h1>""");
        WriteProcess(html, report);
        WriteControls(html, report, refreshSeconds);
        html.Add($"""</header><main>""");
        foreach (AllocatorReport allocator in report.Allocators)
        {
            AllocatorSection.Write(html, allocator);
        }

        html.Add($"""</main></body></html>""");
        return html.ToString();
    }

    private static void WriteProcess(HtmlWriter html, MemoryReport report)
    {
        string available = report.AvailableBytes is { } bytes ? $", which may use {ByteSize.FormatRounded(bytes)}" : string.Empty;
        html.Add($"""<p class="process"><b>{ByteSize.FormatRounded(report.ResidentBytes)}</b> resident in this process{available}</p>""");
    }

    private static void WriteControls(HtmlWriter html, MemoryReport report, int refreshSeconds)
    {
        html.Add($"""<nav><time>{report.Time.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture)} UTC</time>""");
        if (refreshSeconds > 0)
        {
            html.Add($"""<span>every {refreshSeconds} s</span><a href="?refresh=0">Pause</a>""");
        }
        else
        {
            html.Add($"""<span>paused</span><a href="?">Resume</a><a href="?refresh=0">Reload</a>""");
        }

        html.Add($"""<a href="?format=json">JSON</a></nav>""");
    }
}

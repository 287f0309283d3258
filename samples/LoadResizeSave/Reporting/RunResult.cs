using Imaging.Thumbnails;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Running;
using PixelPool;
using PixelPool.Diagnostics;
using PixelPool.Measuring;

namespace LoadResizeSave.Reporting;

/// <summary>Everything there is to say about a run that ended.</summary>
internal sealed record RunResult(
    Settings Settings,
    RunTotals Totals,
    TimeSpan Elapsed,
    ManagedActivity Managed,
    PixelPoolStatistics? Pool,
    MemoryRecording Memory)
{
    /// <summary><see langword="null"/> when there is no thumbnail.</summary>
    public required string? Hash { get; init; }

    /// <summary>How far an interrupted run came; <see langword="null"/> when it came to its end.</summary>
    public string? Interruption { get; init; }

    /// <summary>The kernel adds up in portions, and may have missed the highest sample by some pages.</summary>
    public long PeakResident { get; } = Memory.Samples.Select(sample => sample.ResidentBytes).Append(ResidentMemory.Peak()).Max();

    public double MegapixelsPerSecond => Totals.Pixels / 1e6 / Math.Max(Elapsed.TotalSeconds, 0.001);
}

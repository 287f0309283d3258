using BenchmarkDotNet.Reports;
using PixelPool.Benchmarks.Metering;
using PixelPool.Measuring;

namespace PixelPool.Benchmarks.Tables;

/// <summary>What the cells of a row say; null where there is no figure.</summary>
internal static class RowText
{
    private const double NanosecondsPerSecond = 1e9;

    public static string Parameter(BenchmarkReport report, string name) => report.BenchmarkCase.Parameters[name] switch
    {
        int bytes when name == "Size" => Readable.Bytes(bytes),
        bool value => value ? "yes" : "no",
        var value => value?.ToString() ?? "",
    };

    /// <summary>The method, and the allocator that was preloaded.</summary>
    public static string Method(BenchmarkReport report)
    {
        string method = report.BenchmarkCase.Descriptor.WorkloadMethodDisplayInfo.Trim('\'');
        string allocator = report.BenchmarkCase.Job.Id;
        return allocator == PreloadedAllocator.SystemName ? method : $"{method}, {allocator}";
    }

    public static string? Mean(BenchmarkReport report) => MeanOf(report) is { } mean ? Readable.Time(mean) : null;

    public static string? Throughput(BenchmarkReport report) =>
        MeanOf(report) is > 0 and { } mean ? Readable.Count(NanosecondsPerSecond / mean) : null;

    /// <summary>The time, compared with the baseline of the same parameters.</summary>
    public static string? Ratio(Summary summary, BenchmarkReport report)
    {
        string parameters = report.BenchmarkCase.Parameters.ValueInfo;
        BenchmarkReport? baseline = summary.Reports.FirstOrDefault(other =>
            other.BenchmarkCase.Descriptor.Baseline && other.BenchmarkCase.Parameters.ValueInfo == parameters);
        return baseline is not null && MeanOf(baseline) is > 0 and { } whole && MeanOf(report) is { } mean ? Readable.Ratio(mean / whole) : null;
    }

    public static string? Of(BenchmarkReport report, Figure figure) => !report.Metrics.TryGetValue(figure.Id, out Metric? metric)
        ? null
        : figure.Unit switch
        {
            "B" => Readable.Bytes(metric.Value),
            "ns" => Readable.Time(metric.Value),
            _ => Readable.Count(metric.Value),
        };

    private static double? MeanOf(BenchmarkReport report) => report.ResultStatistics?.Mean;
}

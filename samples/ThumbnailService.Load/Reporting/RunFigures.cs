using System.Text.Json;
using System.Text.Json.Serialization;
using ThumbnailService.Load.Firing;
using ThumbnailService.Load.Watching;

namespace ThumbnailService.Load.Reporting;

/// <summary>What came out of one run.</summary>
/// <param name="Photos">What was sent, in turn.</param>
/// <param name="GroupVersion">Of the control groups.</param>
/// <param name="LimitBytes">Null: none.</param>
/// <param name="Ends">How the requests ended, in the order of time.</param>
/// <param name="KilledSeconds">When the kernel killed the service because there was no memory left; null: it did not.</param>
/// <param name="Service">What the service says about its memory at the end, as JSON; null when the service is gone.</param>
internal sealed record RunFigures(
    string Title,
    string Photos,
    string GroupVersion,
    long? LimitBytes,
    int Requests,
    int Parallelism,
    IReadOnlyList<RequestEnd> Ends,
    double Seconds,
    double ServedMegapixels,
    long PeakGroupBytes,
    long PeakResidentBytes,
    double? KilledSeconds,
    string? Service,
    IReadOnlyList<MemorySample> Samples)
{
    [JsonIgnore]
    public int Served => Ends.Count(static end => end.Failure is null);

    [JsonIgnore]
    public int Failed => Ends.Count - Served;

    /// <summary>How many failed, by the reason, the most frequent first.</summary>
    [JsonIgnore]
    public IEnumerable<(string Reason, int Count)> Failures => Ends
        .Where(static end => end.Failure is not null)
        .GroupBy(static end => end.Failure!)
        .OrderByDescending(static group => group.Count())
        .ThenBy(static group => group.Key, StringComparer.Ordinal)
        .Select(static group => (group.Key, group.Count()));

    /// <summary>What failed and why, for people; empty when nothing did.</summary>
    [JsonIgnore]
    public string FailureText => string.Join(", ", Failures.Select(static failure => $"{failure.Count} × {failure.Reason}"));

    /// <summary>The one time that the table, the picture and the terminal tell; null when it was not killed.</summary>
    [JsonIgnore]
    public string? KillText => KilledSeconds is { } seconds ? $"after {seconds:0.00} s" : null;

    /// <summary>What limits a service whose images are managed arrays; null for others, and when the service is gone.</summary>
    [JsonIgnore]
    public long? ManagedHeapLimitBytes
    {
        get
        {
            if (Service is null)
            {
                return null;
            }

            using var report = JsonDocument.Parse(Service);
            return report.RootElement.GetProperty("mode").GetString() == "Managed" ? report.RootElement.GetProperty("managedHeapLimitBytes").GetInt64() : null;
        }
    }

    /// <summary>The latency that a share of the served requests did not exceed; 0 when none was served.</summary>
    public double Percentile(double share)
    {
        double[] sorted = [.. Ends.Where(static end => end.Failure is null).Select(static end => end.LatencySeconds).Order()];
        return sorted.Length == 0 ? 0 : sorted[Math.Max(0, (int)Math.Ceiling(share * sorted.Length) - 1)];
    }

    public void Save(string path) => File.WriteAllBytes(path, JsonSerializer.SerializeToUtf8Bytes(this));

    /// <summary>In the order of their file names.</summary>
    public static IReadOnlyList<RunFigures> LoadAll(string folder) =>
    [
        .. Directory.EnumerateFiles(folder, "*.json").Order(StringComparer.Ordinal)
            .Select(path => JsonSerializer.Deserialize<RunFigures>(File.ReadAllBytes(path))!),
    ];
}

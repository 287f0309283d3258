using System.Text.Json;
using ThumbnailService.Load.Watching;

namespace ThumbnailService.Load.Reporting;

/// <summary>What came out of one run.</summary>
/// <param name="Photos">What was sent, in turn.</param>
/// <param name="GroupVersion">Of the control groups.</param>
/// <param name="LimitBytes">Null: none.</param>
/// <param name="Failures">How many requests failed, by the reason.</param>
/// <param name="ServedSeconds">The latency of every served request, the shortest first.</param>
/// <param name="Service">What the pool of the service says at the end; null when the service is gone.</param>
internal sealed record RunFigures(
    string Title,
    string Photos,
    string GroupVersion,
    long? LimitBytes,
    int Requests,
    int Parallelism,
    IReadOnlyDictionary<string, int> Failures,
    IReadOnlyList<double> ServedSeconds,
    double Seconds,
    double ServedMegapixels,
    long PeakGroupBytes,
    long PeakResidentBytes,
    long Kills,
    string? Service,
    IReadOnlyList<MemorySample> Samples)
{
    public int Served => ServedSeconds.Count;

    public int Failed => Failures.Values.Sum();

    /// <summary>The latency that a share of the served requests did not exceed; 0 when none was served.</summary>
    public double Percentile(double share) =>
        Served == 0 ? 0 : ServedSeconds[Math.Max(0, (int)Math.Ceiling(share * Served) - 1)];

    public void Save(string path) => File.WriteAllBytes(path, JsonSerializer.SerializeToUtf8Bytes(this));

    /// <summary>In the order of their file names.</summary>
    public static IReadOnlyList<RunFigures> LoadAll(string folder) =>
    [
        .. Directory.EnumerateFiles(folder, "*.json").Order(StringComparer.Ordinal)
            .Select(path => JsonSerializer.Deserialize<RunFigures>(File.ReadAllBytes(path))!),
    ];
}

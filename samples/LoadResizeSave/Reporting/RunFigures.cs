using System.Text.Json;

namespace LoadResizeSave.Reporting;

/// <summary>The figures of a run for other programs: plain numbers, sizes in bytes, in a file of JSON.</summary>
/// <param name="Interrupted">Then the figures are of a part of the photos.</param>
/// <param name="PeakResidentBytes">The highest since the first photo, where the system can forget what was before.</param>
/// <param name="FinalResidentBytes">After idle memory was given back.</param>
internal sealed record RunFigures(
    string Allocator,
    int Parallelism,
    bool Interrupted,
    int Thumbnails,
    double Megapixels,
    double Seconds,
    long ManagedAllocatedBytes,
    int Gen0Collections,
    int Gen1Collections,
    int Gen2Collections,
    long PeakResidentBytes,
    long FinalResidentBytes)
{
    private static readonly JsonSerializerOptions s_format = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    public static RunFigures Of(RunResult result) => new(
        result.Settings.Allocator.ToString().ToLowerInvariant(),
        result.Settings.Parallelism,
        result.Interruption is not null,
        result.Totals.Thumbnails,
        result.Totals.Pixels / 1e6,
        result.Elapsed.TotalSeconds,
        result.Managed.AllocatedBytes,
        result.Managed.Gen0,
        result.Managed.Gen1,
        result.Managed.Gen2,
        result.PeakResident,
        result.Memory.Samples[^1].ResidentBytes);

    public static RunFigures Load(string path) => JsonSerializer.Deserialize<RunFigures>(File.ReadAllBytes(path), s_format)!;

    public void Save(string path) => File.WriteAllText(path, JsonSerializer.Serialize(this, s_format));
}

namespace ThumbnailService.Load.Watching;

/// <summary>The figures of a memory control group, of version 1 or 2.</summary>
internal sealed class ControlGroup(string folder)
{
    private readonly bool _isVersion2 = File.Exists(Path.Combine(folder, "memory.max"));

    public string Version => _isVersion2 ? "2" : "1";

    /// <summary>Null: no limit.</summary>
    public long? LimitBytes => Number(_isVersion2 ? "memory.max" : "memory.limit_in_bytes") is > 0 and < 1L << 60 and { } bytes ? bytes : null;

    public long UsageBytes => Number(_isVersion2 ? "memory.current" : "memory.usage_in_bytes") ?? 0;

    /// <summary>The highest usage so far; 0 where the kernel does not tell (version 2 before Linux 5.19).</summary>
    public long PeakBytes => Number(_isVersion2 ? "memory.peak" : "memory.max_usage_in_bytes") ?? 0;

    /// <summary>Processes that were killed because the group had no memory left.</summary>
    public long Kills
    {
        get
        {
            const string Name = "oom_kill ";
            string path = Path.Combine(folder, _isVersion2 ? "memory.events" : "memory.oom_control");
            string? line = File.ReadLines(path).FirstOrDefault(line => line.StartsWith(Name, StringComparison.Ordinal));
            return line is null ? 0 : long.Parse(line[Name.Length..]);
        }
    }

    private long? Number(string file)
    {
        string path = Path.Combine(folder, file);
        return File.Exists(path) && long.TryParse(File.ReadAllText(path), out long number) ? number : null;
    }
}

namespace ThumbnailService.Load.Watching;

/// <summary>What the kernel says about another process.</summary>
internal sealed class WatchedProcess(int id)
{
    private readonly string _status = $"/proc/{id}/status";

    /// <summary>Bytes resident now and at most so far; zeros when the process is gone.</summary>
    public (long Now, long Peak) Resident()
    {
        try
        {
            string[] lines = File.ReadAllLines(_status);
            return (Bytes(lines, "VmRSS:"), Bytes(lines, "VmHWM:"));
        }
        catch (IOException)
        {
            return default;
        }
    }

    // For example "VmRSS:	   12345 kB". A process that is being killed has no such line any more.
    private static long Bytes(string[] lines, string name)
    {
        string? line = lines.FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal));
        return line is null ? 0 : 1024 * long.Parse(line.AsSpan(name.Length, line.Length - name.Length - 2).Trim());
    }
}

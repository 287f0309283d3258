namespace PixelPool.Benchmarks.Metering;

/// <summary>The memory of this process that really is memory, as the kernel counts it.</summary>
internal static class ResidentMemory
{
    /// <summary>Bytes, exact to the page; 0 where the system does not say.</summary>
    public static long Current()
    {
        if (!OperatingSystem.IsLinux())
        {
            return 0;
        }

        // The counters of a process lag behind by some pages per thread; the sum over its mappings does not.
        string line = File.ReadLines("/proc/self/smaps_rollup").First(line => line.StartsWith("Rss:", StringComparison.Ordinal));
        return long.Parse(line["Rss:".Length..^" kB".Length]) * 1024;
    }
}

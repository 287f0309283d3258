using System.Globalization;

namespace PixelPool.Tests.Allocations;

/// <summary>Memory of this process that is really there, as the Linux kernel counts it.</summary>
internal static class ResidentMemory
{
    /// <summary>Bytes resident after a collection.</summary>
    public static long Measure()
    {
        Collector.CollectAll();
        string[] pages = File.ReadAllText("/proc/self/statm").Split(' ');
        return long.Parse(pages[1], CultureInfo.InvariantCulture) * Environment.SystemPageSize;
    }
}

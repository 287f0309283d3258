#if NET
using System.Globalization;
#endif

namespace PixelPool.Trimming;

/// <summary>What the garbage collector knows: the physical memory or a limit below it, and the load at its last collection.</summary>
internal sealed class RuntimeMemoryPressureSource : MemoryPressureSource
{
#if NET
    /// <summary>The collector's idea of the memory it may use: container limits and its own hard limit included.</summary>
    public override long GetAvailableBytes() => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    // A limit that was configured, or that the collector made of the container's.
    public override bool IsLimited =>
        GC.GetConfigurationVariables().TryGetValue("GCHeapHardLimit", out object? limit) && Convert.ToInt64(limit, CultureInfo.InvariantCulture) != 0;

    // 288 bytes per call, at most every few seconds. The load is 0 before the first collection, and the threshold where a runtime does not know the memory.
    public override bool IsHigh()
    {
        GCMemoryInfo info = GC.GetGCMemoryInfo();
        return info.MemoryLoadBytes > 0 && info.MemoryLoadBytes >= info.HighMemoryLoadThresholdBytes;
    }
#else
    /// <summary>The base library of netstandard2.0 does not tell.</summary>
    public override long GetAvailableBytes() => 0;

    public override bool IsHigh() => false;
#endif
}

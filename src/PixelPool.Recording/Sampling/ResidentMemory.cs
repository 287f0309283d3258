using System.Runtime.InteropServices;

namespace PixelPool.Diagnostics.Sampling;

/// <summary>Physical memory of this process. A look allocates nothing on Linux.</summary>
internal static class ResidentMemory
{
    private static readonly ProcessFile? s_statm =
        RuntimeInformation.IsOSPlatform(OSPlatform.Linux) ? ProcessFile.TryOpen("/proc/self/statm") : null;

    /// <summary>Bytes resident now.</summary>
    public static long Current() =>
        s_statm is not null && s_statm.TryReadSecondNumber(out long pages) ? pages * Environment.SystemPageSize : Environment.WorkingSet;
}

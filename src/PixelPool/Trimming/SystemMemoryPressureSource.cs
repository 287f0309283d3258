using System.Runtime.InteropServices;

namespace PixelPool.Trimming;

/// <summary>Chooses the source that fits the operating system.</summary>
internal static class SystemMemoryPressureSource
{
    public static MemoryPressureSource Create() =>
        RuntimeInformation.IsOSPlatform(OSPlatform.Linux)
            ? new LinuxMemoryPressureSource(string.Empty, RuntimeMemoryPressureSource.ReadAvailableBytes)
            : new RuntimeMemoryPressureSource();
}

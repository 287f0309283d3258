using System.Runtime.InteropServices;

namespace PixelPool.Benchmarks.Metering;

/// <summary>Page faults of this process that needed no reading from disk.</summary>
internal static unsafe class PageFaults
{
    private const int ResourceUsageSelf = 0;

    // struct rusage on 64-bit Linux: two times of two words each, four words of sizes, then the minor faults.
    private const int ResourceUsageWords = 18;
    private const int MinorFaultsWord = 8;

    public static bool AreCounted => OperatingSystem.IsLinux() && Environment.Is64BitProcess;

    public static long Minor
    {
        get
        {
            long* usage = stackalloc long[ResourceUsageWords];
            return getrusage(ResourceUsageSelf, usage) == 0 ? usage[MinorFaultsWord] : 0;
        }
    }

    [DllImport("libc")]
    private static extern int getrusage(int who, long* usage);
}

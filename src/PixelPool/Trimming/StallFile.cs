using PixelPool.Native;

namespace PixelPool.Trimming;

/// <summary>
/// How much time tasks lose because they wait for memory (pressure stall information): <c>memory.pressure</c> of a control group, or
/// <c>/proc/pressure/memory</c>. Kernels can be without it.
/// </summary>
internal static class StallFile
{
    // Percent of the last ten seconds in which at least one task waited ("some avg10"). The kernel's documentation (accounting/psi) takes 15 % as its example
    // of a trigger, Android's lmkd begins to act at 7 %, systemd-oomd kills at 60 %. A process that pages now and then stays well below.
    private const long HighPercent = 10;

    // "some avg10=12.34 avg60=…": whole percents are enough.
    public static bool IsHigh(string path) => KernelFile.TryReadNumber(path, "some avg10=") >= HighPercent;
}

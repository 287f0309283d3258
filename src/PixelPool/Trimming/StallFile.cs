namespace PixelPool.Trimming;

/// <summary>
/// How much time tasks lose because they wait for memory (pressure stall information): <c>memory.pressure</c> of a control group, or
/// <c>/proc/pressure/memory</c>. Kernels can be without it.
/// </summary>
internal sealed class StallFile(KernelFile file) : IDisposable
{
    // Percent of the last ten seconds in which at least one task waited ("some avg10"). The kernel's documentation (accounting/psi) takes 15 % as its example
    // of a trigger, Android's lmkd begins to act at 7 %, systemd-oomd kills at 60 %. A process that pages now and then stays well below.
    private const long HighPercent = 10;

    /// <returns>Null when there is none, or when it cannot be read: a kernel that does not account stalls lets it be opened, but not read.</returns>
    public static StallFile? TryOpen(string path)
    {
        KernelFile? opened = KernelFile.TryOpen(path);
        if (opened is not null && TryReadPercent(opened, out _))
        {
            return new StallFile(opened);
        }

        opened?.Dispose();
        return null;
    }

    /// <inheritdoc cref="KernelFile.Dispose"/>
    public void Dispose() => file.Dispose();

    public bool IsHigh() => TryReadPercent(file, out long percent) && percent >= HighPercent;

    // "some avg10=12.34 avg60=…": whole percents are enough.
    private static bool TryReadPercent(KernelFile file, out long percent) => file.TryReadNumber("some avg10="u8, out percent);
}

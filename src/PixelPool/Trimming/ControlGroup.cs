using PixelPool.Native;

namespace PixelPool.Trimming;

/// <summary>The memory figures of one control group, of version 1 or 2. Files that are missing are limits that are not set.</summary>
/// <param name="folder">Its folder.</param>
/// <param name="isVersion2">Which version's files to look for.</param>
/// <param name="isInnermost">True for the group that the process itself is in.</param>
/// <param name="isTop">True for the topmost group that the process sees. In a container it may have parents outside.</param>
internal sealed class ControlGroup(string folder, bool isVersion2, bool isInnermost, bool isTop)
{
    // Percent of the last ten seconds in which at least one task waited for memory ("some avg10=12.34 avg60=…": whole ones are enough). The kernel's documentation (accounting/psi) takes 15 % as its example
    // of a trigger, Android's lmkd begins to act at 7 %, systemd-oomd kills at 60 %. A process that pages now and then stays well below.
    private const long HighStallPercent = 10;

    private readonly string _limit = folder + (isVersion2 ? "/memory.max" : "/memory.limit_in_bytes");
    private readonly string _usage = folder + (isVersion2 ? "/memory.current" : "/memory.usage_in_bytes");
    private readonly string _statistics = folder + "/memory.stat";

    /// <summary>
    /// Whether tasks wait for memory that this process could give them. What happens in the process' own group does concern it, unless that is a root without a limit: its stalls are those of the
    /// machine. In the figures of a parent are neighbours, too, that wait because of limits of their own: there memory must be scarce as well.
    /// </summary>
    /// <param name="scarceShare">The share of its limit at which memory of a group is scarce.</param>
    public bool IsStalled(double scarceShare) =>
        isVersion2 && AreStallsHigh(folder + "/memory.pressure") && ((isInnermost && (!isTop || File.Exists(_limit))) || IsUsedTo(scarceShare));

    /// <summary>Whether its limit, or that there is none, can be read now.</summary>
    public bool IsReadable => KernelFile.ReadLines(_limit).Length != 0;

    /// <summary>
    /// The bytes above which the group is in trouble: where its processes are killed, or where they are slowed down until it is smaller again
    /// (<c>memory.high</c>).
    /// </summary>
    /// <returns><see cref="long.MaxValue"/> when no limit is set.</returns>
    public long GetLimit()
    {
        long bytes = Tighter(long.MaxValue, KernelFile.TryReadNumber(_limit));
        bytes = Tighter(bytes, isVersion2 ? KernelFile.TryReadNumber(folder + "/memory.high") : null);

        // Version 1 tells the tightest limit of all parents, also of those outside of the container.
        return Tighter(bytes, isTop && !isVersion2 ? KernelFile.TryReadNumber(_statistics, "hierarchical_memory_limit ") : null);
    }

    /// <summary>Whether the group uses at least this share of its limit, page cache that the kernel can drop not counted.</summary>
    public bool IsUsedTo(double share)
    {
        long limit = GetLimit();
        double threshold = limit * share;
        if (limit == long.MaxValue || KernelFile.TryReadNumber(_usage) is not { } usage || usage < threshold)
        {
            return false;
        }

        // Only now the longer file: inactive page cache counts as used, and goes as soon as anybody needs it.
        return usage - (KernelFile.TryReadNumber(_statistics, isVersion2 ? "inactive_file " : "total_inactive_file ") ?? 0) >= threshold;
    }

    /// <summary>
    /// Whether tasks lose much time because they wait for memory (pressure stall information): from <c>memory.pressure</c> of a group, or <c>/proc/pressure/memory</c>.
    /// Kernels can be without it.
    /// </summary>
    public static bool AreStallsHigh(string path) => KernelFile.TryReadNumber(path, "some avg10=") >= HighStallPercent;

    /// <summary>The tighter one of two limits, of which the second may not be known.</summary>
    public static long Tighter(long bytes, long? limit) => limit > 0 && limit < bytes ? limit.Value : bytes;
}

namespace PixelPool.Trimming;

/// <summary>The memory figures of one control group, of version 1 or 2. Files that are missing are limits that are not set.</summary>
internal sealed class ControlGroup
{
    private readonly KernelFile? _limit;
    private readonly KernelFile? _usage;
    private readonly KernelFile? _statistics;
    private readonly bool _isVersion2;

    public ControlGroup(string folder, bool isVersion2)
    {
        _isVersion2 = isVersion2;
        _limit = KernelFile.TryOpen(folder + (isVersion2 ? "/memory.max" : "/memory.limit_in_bytes"));
        _usage = KernelFile.TryOpen(folder + (isVersion2 ? "/memory.current" : "/memory.usage_in_bytes"));
        _statistics = KernelFile.TryOpen(folder + "/memory.stat");
    }

    /// <summary>True when the group can have a limit: it is looked at again each time, because limits change.</summary>
    public bool IsLimitable => _limit is not null && _usage is not null;

    /// <returns>False when no limit is set.</returns>
    public bool TryGetLimit(out long bytes)
    {
        bytes = 0;
        return _limit is not null && _limit.TryReadNumber(out bytes) && bytes > 0;
    }

    /// <summary>Whether the group uses at least this share of its limit, page cache that the kernel can drop not counted.</summary>
    public bool IsUsedTo(double share)
    {
        if (!TryGetLimit(out long limit) || _usage is null || !_usage.TryReadNumber(out long usage))
        {
            return false;
        }

        double threshold = limit * share;
        if (usage < threshold)
        {
            return false;
        }

        // Only now the longer file: inactive page cache counts as used, and goes as soon as anybody needs it.
        long cache = 0;
        _statistics?.TryReadNumber(_isVersion2 ? "inactive_file "u8 : "total_inactive_file "u8, out cache);
        return usage - cache >= threshold;
    }
}

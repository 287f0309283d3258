namespace PixelPool.Trimming;

/// <summary>The memory figures of one control group, of version 1 or 2. Files that are missing are limits that are not set.</summary>
internal sealed class ControlGroup : IDisposable
{
    private readonly KernelFile? _limit;
    private readonly KernelFile? _throttle;
    private readonly KernelFile? _usage;
    private readonly KernelFile? _statistics;
    private readonly StallFile? _stalls;
    private readonly bool _isVersion2;
    private readonly bool _isInnermost;
    private readonly bool _isTop;
    private readonly bool _hasHiddenLimit;

    /// <param name="folder">Its folder.</param>
    /// <param name="isVersion2">Which version's files to look for.</param>
    /// <param name="isInnermost">True for the group that the process itself is in.</param>
    /// <param name="isTop">True for the topmost group that the process sees. In a container it may have parents outside.</param>
    public ControlGroup(string folder, bool isVersion2, bool isInnermost, bool isTop)
    {
        _isVersion2 = isVersion2;
        _isInnermost = isInnermost;
        _isTop = isTop;
        _limit = KernelFile.TryOpen(folder + (isVersion2 ? "/memory.max" : "/memory.limit_in_bytes"));
        _throttle = isVersion2 ? KernelFile.TryOpen(folder + "/memory.high") : null;
        _usage = KernelFile.TryOpen(folder + (isVersion2 ? "/memory.current" : "/memory.usage_in_bytes"));
        _statistics = KernelFile.TryOpen(folder + "/memory.stat");
        _stalls = isVersion2 ? StallFile.TryOpen(folder + "/memory.pressure") : null;

        // That file takes longer than all others together: it is looked at again only if there is anything to see.
        _hasHiddenLimit = isTop && !isVersion2 && HiddenLimit is > 0 and var hidden && hidden < GetLimit();
    }

    /// <summary>Closes its files. Nobody asks any more.</summary>
    public void Dispose()
    {
        foreach (IDisposable? file in (ReadOnlySpan<IDisposable?>)[_limit, _throttle, _usage, _statistics, _stalls])
        {
            file?.Dispose();
        }
    }

    /// <summary>
    /// True when there is anything to look at: a limit, which may be set later, or stalls. The stalls of a root without a limit are those of the machine.
    /// </summary>
    public bool IsTelling => (_limit is not null && _usage is not null) || (_stalls is not null && !_isTop);

    /// <summary>
    /// Whether tasks wait for memory that this process could give them. What happens in the process' own group does concern it. In the figures of a
    /// parent are neighbours, too, that wait because of limits of their own: there memory must be scarce as well.
    /// </summary>
    /// <param name="scarceShare">The share of its limit at which memory of a group is scarce.</param>
    public bool IsStalled(double scarceShare) => _stalls is not null && _stalls.IsHigh() && (_isInnermost || IsUsedTo(scarceShare));

    /// <summary>
    /// The bytes above which the group is in trouble: where its processes are killed, or where they are slowed down until it is smaller again
    /// (<c>memory.high</c>).
    /// </summary>
    /// <returns><see cref="long.MaxValue"/> when no limit is set.</returns>
    public long GetLimit()
    {
        long bytes = long.MaxValue;
        Tighten(ref bytes, _limit is not null && _limit.TryReadNumber(out long limit) ? limit : 0);
        Tighten(ref bytes, _throttle is not null && _throttle.TryReadNumber(out long throttle) ? throttle : 0);
        Tighten(ref bytes, _hasHiddenLimit ? HiddenLimit : 0);
        return bytes;
    }

    /// <summary>Whether the group uses at least this share of its limit, page cache that the kernel can drop not counted.</summary>
    public bool IsUsedTo(double share)
    {
        long limit = GetLimit();
        double threshold = limit * share;
        if (limit == long.MaxValue || _usage is null || !_usage.TryReadNumber(out long usage) || usage < threshold)
        {
            return false;
        }

        // Only now the longer file: inactive page cache counts as used, and goes as soon as anybody needs it.
        long cache = 0;
        _statistics?.TryReadNumber(_isVersion2 ? "inactive_file "u8 : "total_inactive_file "u8, out cache);
        return usage - cache >= threshold;
    }

    // Version 1 tells the tightest limit of all parents, also of those outside of the container. 0 when it is not known.
    private long HiddenLimit => _statistics is not null && _statistics.TryReadNumber("hierarchical_memory_limit "u8, out long bytes) ? bytes : 0;

    /// <summary>Where there is a limit, and it is the tighter one, it is the limit.</summary>
    public static void Tighten(ref long bytes, long limit)
    {
        if (limit > 0 && limit < bytes)
        {
            bytes = limit;
        }
    }
}

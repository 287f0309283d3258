namespace PixelPool.Trimming;

/// <summary>The process' control groups and the machine's memory, read fresh each time from files that stay open.</summary>
internal sealed class LinuxMemoryPressureSource : MemoryPressureSource
{
    // The share at which .NET's collector speaks of a high memory load, too.
    private const double HighShare = 0.9;

    private readonly KernelFile? _meminfo;
    private readonly ControlGroup[] _groups;
    private readonly Func<long> _runtimeLimit;

    /// <param name="root">Put before every path: empty, but in tests.</param>
    /// <param name="runtimeLimit">Bytes the runtime allows itself, or 0.</param>
    public LinuxMemoryPressureSource(string root, Func<long> runtimeLimit)
    {
        _runtimeLimit = runtimeLimit;
        _meminfo = KernelFile.TryOpen(root + "/proc/meminfo");
        _groups = FindGroups(root);
    }

    public override long GetAvailableBytes()
    {
        long available = long.MaxValue;
        Tighten(ref available, _runtimeLimit());
        if (_meminfo is not null && _meminfo.TryReadNumber("MemTotal:"u8, out long kibibytes))
        {
            Tighten(ref available, kibibytes * 1024);
        }

        foreach (ControlGroup group in _groups)
        {
            if (group.TryGetLimit(out long limit))
            {
                Tighten(ref available, limit);
            }
        }

        return available == long.MaxValue ? 0 : available;
    }

    public override bool IsHigh()
    {
        foreach (ControlGroup group in _groups)
        {
            if (group.IsUsedTo(HighShare))
            {
                return true;
            }
        }

        return _meminfo is not null
            && _meminfo.TryReadNumber("MemTotal:"u8, out long total)
            && _meminfo.TryReadNumber("MemAvailable:"u8, out long available)
            && total > 0
            && available >= 0
            && available <= total * (1 - HighShare);
    }

    private static void Tighten(ref long available, long limit)
    {
        if (limit > 0 && limit < available)
        {
            available = limit;
        }
    }

    private static ControlGroup[] FindGroups(string root)
    {
        try
        {
            string cgroups = File.ReadAllText(root + "/proc/self/cgroup");
            string mounts = File.ReadAllText(root + "/proc/self/mountinfo");
            return
            [
                .. ControlGroupLocator.Locate(cgroups, mounts)
                    .Select(found => new ControlGroup(root + found.Folder, found.IsVersion2))
                    .Where(group => group.IsLimitable),
            ];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}

using System.Text;

namespace PixelPool.Trimming;

/// <summary>The process' control groups and the machine's memory, read fresh each time from files that stay open.</summary>
internal sealed class LinuxMemoryPressureSource : MemoryPressureSource
{
    // The share at which .NET's collector speaks of a high memory load, too.
    private const double HighShare = 0.9;

    // In a limited group the collector limits its heap to this share of it, unless told otherwise (the runtime's documentation of GCHeapHardLimit).
    private const double HeapShare = 0.75;

    // Less than a quarter is left: then the waiting of others is this process' business.
    private const double ScarceShare = 0.75;

    private readonly KernelFile? _meminfo;
    private readonly StallFile? _stalls;
    private readonly List<ControlGroup> _groups;
    private readonly Func<long>? _runtimeLimit;

    /// <param name="root">Put before every path: empty, but in tests.</param>
    /// <param name="runtimeLimit">Bytes the runtime allows itself, or 0.</param>
    public LinuxMemoryPressureSource(string root, Func<long> runtimeLimit)
    {
        _stalls = StallFile.TryOpen(root + "/proc/pressure/memory");
        _groups = FindGroups(root);

        // What the runtime made of the group's limit concerns its heap only, and stays when that limit changes. A limit that somebody set is lower.
        _runtimeLimit = TightestOfGroups() is var limit && limit != long.MaxValue && runtimeLimit() >= (long)(limit * HeapShare) - Environment.SystemPageSize
            ? null
            : runtimeLimit;

        // Last: where the process has no file left, it is missing as well. Then none is kept that others need, and only the runtime says how much memory there is.
        _meminfo = KernelFile.TryOpen(root + "/proc/meminfo");
        if (_meminfo is null && File.Exists(root + "/proc/meminfo"))
        {
            _stalls?.Dispose();
            _stalls = null;
            _groups.ForEach(static group => group.Dispose());
            _groups.Clear();
            _runtimeLimit = runtimeLimit;
        }
    }

    /// <summary>False when files could not be opened: what it says may be too much.</summary>
    public bool IsTelling => _meminfo is not null;

    public override long GetAvailableBytes()
    {
        long available = TightestOfGroups();
        ControlGroup.Tighten(ref available, _runtimeLimit?.Invoke() ?? 0);
        ControlGroup.Tighten(ref available, MachineBytes);
        return available == long.MaxValue ? 0 : available;
    }

    // What differs by less than this part is the same figure, read in two ways.
    public override bool IsLimited => GetAvailableBytes() < MachineBytes / 64 * 63;

    // 0 when it is not known.
    private long MachineBytes => _meminfo is not null && _meminfo.TryReadNumber("MemTotal:"u8, out long kibibytes) ? kibibytes * 1024 : 0;

    public override bool IsHigh()
    {
        foreach (ControlGroup group in _groups)
        {
            if (group.IsUsedTo(HighShare) || group.IsStalled(ScarceShare))
            {
                return true;
            }
        }

        double used = MachineUse();
        return used >= HighShare || (used >= ScarceShare && _stalls is not null && _stalls.IsHigh());
    }

    /// <returns>0 to 1; 0 when it is not known.</returns>
    private double MachineUse() =>
        MachineBytes is > 0 and var total && _meminfo!.TryReadNumber("MemAvailable:"u8, out long kibibytes) && kibibytes >= 0 ? 1 - (kibibytes * 1024.0 / total) : 0;

    private long TightestOfGroups()
    {
        long tightest = long.MaxValue;
        foreach (ControlGroup group in _groups)
        {
            tightest = Math.Min(tightest, group.GetLimit());
        }

        return tightest;
    }

    private static List<ControlGroup> FindGroups(string root)
    {
        var groups = new List<ControlGroup>();
        try
        {
            string cgroups = Encoding.UTF8.GetString(File.ReadAllBytes(root + "/proc/self/cgroup"));
            string mounts = Encoding.UTF8.GetString(File.ReadAllBytes(root + "/proc/self/mountinfo"));
            foreach (bool isVersion2 in new[] { false, true })
            {
                List<string> folders = ControlGroupLocator.Locate(cgroups, mounts, isVersion2);
                for (int i = 0; i < folders.Count; i++)
                {
                    var group = new ControlGroup(root + folders[i], isVersion2, isInnermost: i == 0, isTop: i == folders.Count - 1);
                    if (group.IsTelling)
                    {
                        groups.Add(group);
                    }
                    else
                    {
                        group.Dispose();
                    }
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // What is known so far counts.
        }

        return groups;
    }
}

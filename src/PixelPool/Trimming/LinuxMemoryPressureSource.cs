using PixelPool.Native;

namespace PixelPool.Trimming;

/// <summary>The process' control groups and the machine's memory, read fresh each time.</summary>
/// <param name="root">Put before every path: empty, but in tests.</param>
/// <param name="runtimeLimit">Bytes the runtime allows itself, or 0.</param>
internal sealed class LinuxMemoryPressureSource(string root, Func<long> runtimeLimit) : MemoryPressureSource
{
    // The share at which .NET's collector speaks of a high memory load, too.
    private const double HighShare = 0.9;

    // In a limited group the collector limits its heap to this share of it, unless told otherwise (the runtime's documentation of GCHeapHardLimit).
    private const double HeapShare = 0.75;

    // Less than a quarter is left: then the waiting of others is this process' business.
    private const double ScarceShare = 0.75;

    private readonly string _machine = root + "/proc/meminfo";

    // Empty until some are found: a process that has no descriptor left looks for them again.
    private volatile List<ControlGroup> _groups = new(4);

    // Null until a limit of theirs, or that there is none, is read for the first time.
    private volatile object? _isHeapLimitOfGroup;

    public override long GetAvailableBytes()
    {
        long available = long.MaxValue;
        Groups.ForEach(group => available = ControlGroup.Tighter(available, group.GetLimit()));

        // Where no group can be read for the moment, the runtime still says how much there is. The machine may have more.
        // What it made of the group's limit concerns its heap only, and stays when that limit changes. A limit that somebody set is lower.
        long heap = runtimeLimit();
        bool isReadable = Groups.Exists(IsReadable);
        _isHeapLimitOfGroup ??= isReadable ? heap >= (long)(available * HeapShare) - Environment.SystemPageSize : null;
        available = ControlGroup.Tighter(ControlGroup.Tighter(available, isReadable && _isHeapLimitOfGroup is true ? null : heap), MachineBytes);
        return available == long.MaxValue ? 0 : available;
    }

    // What differs by less than this part is the same figure, read in two ways.
    public override bool IsLimited => GetAvailableBytes() < MachineBytes / 64 * 63;

    private long? MachineBytes => KernelFile.TryReadNumber(_machine, "MemTotal:") * 1024;

    private List<ControlGroup> Groups => _groups.Count != 0 ? _groups : _groups = FindGroups();

    public override bool IsHigh()
    {
        if (Groups.Exists(IsHigh))
        {
            return true;
        }

        double used = MachineUse();
        return used >= HighShare || (used >= ScarceShare && ControlGroup.AreStallsHigh(root + "/proc/pressure/memory"));
    }

    // No lambdas: where there is no memory for what makes those, they fail for good, and no pressure is seen any more.
    private static bool IsReadable(ControlGroup group) => group.IsReadable;

    private static bool IsHigh(ControlGroup group) => group.IsUsedTo(HighShare) || group.IsStalled(ScarceShare);

    /// <returns>0 to 1; 0 when it is not known.</returns>
    private double MachineUse() =>
        MachineBytes is > 0 and var total && KernelFile.TryReadNumber(_machine, "MemAvailable:") is >= 0 and var kibibytes ? 1 - (kibibytes * 1024.0 / total) : 0;

    // At the usual places; that of version 2 is another one where it stands beside version 1.
    private List<ControlGroup> FindGroups()
    {
        string[] cgroups = KernelFile.ReadLines(root + "/proc/self/cgroup");
        var groups = new List<ControlGroup>(4);
        foreach ((string mount, bool isVersion2) in new[] { ("/sys/fs/cgroup/memory", false), ("/sys/fs/cgroup", true), ("/sys/fs/cgroup/unified", true) })
        {
            List<string> folders = ControlGroupLocator.Locate(cgroups, root + mount, isVersion2).FindAll(Directory.Exists);
            for (int i = 0; i < folders.Count; i++)
            {
                groups.Add(new ControlGroup(folders[i], isVersion2, isInnermost: i == 0, isTop: i == folders.Count - 1));
            }
        }

        return groups;
    }
}

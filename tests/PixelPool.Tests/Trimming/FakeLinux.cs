using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

/// <summary>A folder that looks like the /proc and /sys of a machine with a process in the group <c>/outer/inner</c>.</summary>
internal sealed class FakeLinux : IDisposable
{
    public const long Unlimited = 9223372036854771712;

    private readonly string _root = Directory.CreateTempSubdirectory("pixelpool-linux-").FullName;
    private readonly bool _isVersion2;

    public FakeLinux(bool isVersion2)
    {
        _isVersion2 = isVersion2;
        Write("/proc/self/cgroup", isVersion2 ? "0::/outer/inner\n" : "1:cpu:/\n4:memory:/outer/inner\n");
    }

    public LinuxMemoryPressureSource Open(long runtimeLimit = 0) => new(_root, () => runtimeLimit);

    public void Machine(long totalKibibytes, long? availableKibibytes) =>
        Write(
            "/proc/meminfo",
            $"MemTotal:       {totalKibibytes,8} kB\nMemFree:           12345 kB\n"
            + (availableKibibytes is { } available ? $"MemAvailable:   {available,8} kB\n" : string.Empty)
            + "Buffers:            1000 kB\n");

    /// <param name="group">Empty for the mount point, or /outer, or /outer/inner.</param>
    /// <param name="limit">Null for none: "max", or the number that version 1 has for it.</param>
    /// <param name="usage">Bytes in use.</param>
    /// <param name="inactiveFile">Bytes of them the kernel can drop.</param>
    public void Group(string group, long? limit, long usage, long inactiveFile = 0)
    {
        string folder = Folder(group);
        if (_isVersion2)
        {
            Write(folder + "/memory.max", limit is { } bytes ? $"{bytes}\n" : "max\n");
            Write(folder + "/memory.current", $"{usage}\n");
            Write(folder + "/memory.stat", $"anon 5\nfile 77\nactive_file 3\ninactive_file {inactiveFile}\nslab 1\n");
            return;
        }

        Write(folder + "/memory.limit_in_bytes", $"{limit ?? Unlimited}\n");
        Write(folder + "/memory.usage_in_bytes", $"{usage}\n");
        Write(folder + "/memory.stat", $"cache 9\ninactive_file 1\ntotal_cache 99\ntotal_inactive_file {inactiveFile}\ntotal_active_file 4\n");
    }

    /// <param name="file">A group's memory.pressure, or the machine's.</param>
    /// <param name="percent">Of the last ten seconds, in which at least one task waited for memory.</param>
    public void Stalls(string file, string percent) =>
        Write(file, $"some avg10={percent} avg60=99.00 avg300=99.00 total=123456\nfull avg10=99.00 avg60=99.00 avg300=99.00 total=12345\n");

    public string Folder(string group) => (_isVersion2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory") + group;

    public void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_root + path)!);
        File.WriteAllText(_root + path, text);
    }

    public void Delete(string path) => File.Delete(_root + path);

    public void Dispose() => Directory.Delete(_root, recursive: true);
}

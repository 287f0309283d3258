using System.Globalization;
using System.Runtime.InteropServices;
using PixelPool.Tests.Infrastructure;
using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

public class LinuxMemoryPressureTests
{
    private const long MiB = 1 << 20;

    public static TheoryData<bool> Versions => [false, true];

    [Theory]
    [MemberData(nameof(Versions))]
    public void Tightest_limit_of_the_group_its_parents_and_the_machine_counts(bool isVersion2)
    {
        using var linux = new FakeLinux(isVersion2);
        linux.Machine(totalKibibytes: 1024 * 1024, availableKibibytes: 900 * 1024);
        Assert.Equal(1024 * MiB, linux.Open().GetAvailableBytes());
        Assert.Equal(700 * MiB, linux.Open(runtimeLimit: 700 * MiB).GetAvailableBytes());

        linux.Group("/outer/inner", limit: null, usage: 100);
        Assert.Equal(1024 * MiB, linux.Open().GetAvailableBytes());
        linux.Group("/outer", limit: 300 * MiB, usage: 100);
        Assert.Equal(300 * MiB, linux.Open().GetAvailableBytes());
        linux.Group("/outer/inner", limit: 200 * MiB, usage: 100);
        Assert.Equal(200 * MiB, linux.Open().GetAvailableBytes());
        linux.Group(string.Empty, limit: 150 * MiB, usage: 100);
        Assert.Equal(150 * MiB, linux.Open(runtimeLimit: 151 * MiB).GetAvailableBytes());
    }

    [Theory]
    [InlineData(null, 0, false)]
    [InlineData(null, 1024, false)]
    [InlineData(1024L, 0, false)]
    [InlineData(2048L, 0, false)]
    [InlineData(1008L, 0, false)]
    [InlineData(1007L, 0, true)]
    [InlineData(1000L, 0, true)]
    [InlineData(null, 700, true)]
    public void Process_is_limited_when_it_may_use_less_than_the_machine_has(long? group, long runtimeLimit, bool limited)
    {
        using var linux = new FakeLinux(isVersion2: true);
        Assert.False(linux.Open().IsLimited);
        linux.Machine(totalKibibytes: 1024 * 1024, availableKibibytes: 900 * 1024);
        linux.Group("/outer", group * MiB, usage: 1);
        Assert.Equal(limited, linux.Open(runtimeLimit * MiB).IsLimited);
    }

    [Theory]
    [InlineData(409, 0, true)]
    [InlineData(384, 0, true)]
    [InlineData(384, 1, true)]
    [InlineData(384, 2, false)]
    [InlineData(128, 0, false)]
    public void Heap_limit_that_the_runtime_made_of_the_group_is_none_of_the_process(long heap, int lessPages, bool made)
    {
        long heapBytes = (heap * MiB) - (lessPages * Environment.SystemPageSize);
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(totalKibibytes: 4096 * 1024, availableKibibytes: 900 * 1024);
        linux.Group("/outer", limit: 512 * MiB, usage: 100);
        LinuxMemoryPressureSource source = linux.Open(heapBytes);
        Assert.Equal(made ? 512 * MiB : heapBytes, source.GetAvailableBytes());
        linux.Group("/outer", limit: 2048 * MiB, usage: 100);
        Assert.Equal(made ? 2048 * MiB : heapBytes, source.GetAvailableBytes());
        linux.Group("/outer", limit: null, usage: 100);
        Assert.Equal(made ? 4096 * MiB : heapBytes, source.GetAvailableBytes());
    }

    /// <summary>Another thread took the last descriptor, for a moment: the machine has more than the process may use.</summary>
    [Fact]
    public void Where_the_group_cannot_be_read_the_limit_of_the_runtime_counts_and_not_the_machine()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(totalKibibytes: 4096 * 1024, availableKibibytes: 900 * 1024);
        linux.Group("/outer", limit: 512 * MiB, usage: 100);
        LinuxMemoryPressureSource source = linux.Open(runtimeLimit: 384 * MiB);
        Assert.Equal(512 * MiB, source.GetAvailableBytes());
        linux.Delete(linux.Folder("/outer") + "/memory.max");
        Assert.Equal((384 * MiB, true), (source.GetAvailableBytes(), source.IsLimited));

        // Nothing follows from that for later.
        source = linux.Open(runtimeLimit: 384 * MiB);
        Assert.Equal(384 * MiB, source.GetAvailableBytes());
        linux.Group("/outer", limit: 512 * MiB, usage: 100);
        Assert.Equal(512 * MiB, source.GetAvailableBytes());
    }

    [Fact]
    public void Heap_limit_of_a_process_without_a_limit_is_its_own_whatever_limit_comes_later()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(totalKibibytes: 16384 * 1024, availableKibibytes: 900 * 1024);
        linux.Group("/outer", limit: null, usage: 100);
        LinuxMemoryPressureSource source = linux.Open(runtimeLimit: 1024 * MiB);
        Assert.Equal(1024 * MiB, source.GetAvailableBytes());
        linux.Group("/outer", limit: 1200 * MiB, usage: 100);
        Assert.Equal(1024 * MiB, source.GetAvailableBytes());
        linux.Group("/outer", limit: 8192 * MiB, usage: 100);
        Assert.Equal(1024 * MiB, source.GetAvailableBytes());
    }

    [Theory]
    [MemberData(nameof(Versions))]
    public void Limit_that_changes_is_seen(bool isVersion2)
    {
        using var linux = new FakeLinux(isVersion2);
        linux.Group("/outer/inner", limit: null, usage: 95 * MiB);
        LinuxMemoryPressureSource source = linux.Open();
        Assert.False(source.IsHigh());
        linux.Group("/outer/inner", limit: 100 * MiB, usage: 95 * MiB);
        Assert.Equal((100 * MiB, true), (source.GetAvailableBytes(), source.IsHigh()));
        linux.Group("/outer/inner", limit: 1000 * MiB, usage: 95 * MiB);
        Assert.Equal((1000 * MiB, false), (source.GetAvailableBytes(), source.IsHigh()));
    }

    [Theory]
    [InlineData(false, 89, 0, false)]
    [InlineData(true, 89, 0, false)]
    [InlineData(false, 90, 0, true)]
    [InlineData(true, 90, 0, true)]
    [InlineData(false, 100, 0, true)]
    [InlineData(true, 100, 0, true)]
    [InlineData(false, 100, 10, true)]
    [InlineData(true, 100, 10, true)]
    [InlineData(false, 100, 11, false)]
    [InlineData(true, 100, 11, false)]
    [InlineData(false, 95, 95, false)]
    [InlineData(true, 95, 95, false)]
    public void Group_is_short_at_nine_tenths_without_the_cache_that_can_be_dropped(bool isVersion2, long usage, long inactiveFile, bool high)
    {
        foreach (string group in new[] { "/outer/inner", "/outer", string.Empty })
        {
            using var linux = new FakeLinux(isVersion2);
            linux.Machine(totalKibibytes: 1024 * 1024, availableKibibytes: 900 * 1024);
            linux.Group("/outer/inner", limit: null, usage: 90 * MiB);
            linux.Group(group, limit: 100 * MiB, usage * MiB, inactiveFile * MiB);
            Assert.Equal(high, linux.Open().IsHigh());
        }
    }

    [Theory]
    [InlineData("max", 100 * MiB, 100 * MiB)]
    [InlineData("83886080", 100 * MiB, 80 * MiB)]
    [InlineData("83886080", null, 80 * MiB)]
    [InlineData("209715200", 100 * MiB, 100 * MiB)]
    public void Bytes_from_which_a_group_is_slowed_down_are_a_limit(string throttle, long? limit, long expected)
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Group("/outer", limit, usage: expected * 9 / 10);
        linux.Write(linux.Folder("/outer") + "/memory.high", throttle + "\n");
        LinuxMemoryPressureSource source = linux.Open();
        Assert.Equal((expected, true), (source.GetAvailableBytes(), source.IsHigh()));
        linux.Group("/outer", limit, usage: (expected * 9 / 10) - 1);
        Assert.False(source.IsHigh());
    }

    [Fact]
    public void Version_1_tells_limits_of_parents_outside_of_the_container()
    {
        using var linux = new FakeLinux(isVersion2: false);
        linux.Group(string.Empty, limit: null, usage: 95 * MiB);
        linux.Write(linux.Folder(string.Empty) + "/memory.stat", $"cache 9\nhierarchical_memory_limit {100 * MiB}\ntotal_inactive_file 0\n");
        LinuxMemoryPressureSource source = linux.Open();
        Assert.Equal((100 * MiB, true), (source.GetAvailableBytes(), source.IsHigh()));
        linux.Write(linux.Folder(string.Empty) + "/memory.stat", $"cache 9\nhierarchical_memory_limit {FakeLinux.Unlimited}\ntotal_inactive_file 0\n");
        Assert.False(source.IsHigh());
    }

    [Theory]
    [MemberData(nameof(Versions))]
    public void Group_without_statistics_counts_all_it_uses(bool isVersion2)
    {
        using var linux = new FakeLinux(isVersion2);
        linux.Group("/outer", limit: 100 * MiB, usage: 91 * MiB, inactiveFile: 50 * MiB);
        linux.Delete(linux.Folder("/outer") + "/memory.stat");
        Assert.True(linux.Open().IsHigh());
    }

    [Theory]
    [InlineData(1000, 1000, false)]
    [InlineData(1000, 101, false)]
    [InlineData(1000, 100, true)]
    [InlineData(1000, 99, true)]
    [InlineData(1000, 0, true)]
    [InlineData(1000, null, false)]
    [InlineData(1000, -1, false)]
    [InlineData(0, 0, false)]
    [InlineData(-5, 0, false)]
    public void Machine_is_short_when_a_tenth_or_less_is_available(long total, int? available, bool high)
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(total, available);
        Assert.Equal(high, linux.Open().IsHigh());
    }

    [Theory]
    [InlineData("0\n")]
    [InlineData("-1\n")]
    [InlineData("\n")]
    [InlineData("")]
    [InlineData("nonsense\n")]
    [InlineData("max\n")]
    [InlineData("99999999999999999999999\n")]
    public void Figures_that_are_nonsense_are_no_limits(string limit)
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(totalKibibytes: 1000, availableKibibytes: 900);
        linux.Group("/outer/inner", limit: 1, usage: 50 * MiB);
        linux.Write(linux.Folder("/outer/inner") + "/memory.max", limit);
        LinuxMemoryPressureSource source = linux.Open(runtimeLimit: -7);
        Assert.Equal((1000 * 1024, false), (source.GetAvailableBytes(), source.IsHigh()));
    }

    [Theory]
    [InlineData("-1\n")]
    [InlineData("nonsense\n")]
    [InlineData("")]
    public void Usage_that_is_nonsense_is_no_pressure(string usage)
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Group("/outer/inner", limit: 100, usage: 100);
        linux.Write(linux.Folder("/outer/inner") + "/memory.current", usage);
        Assert.False(linux.Open().IsHigh());
    }

    [Fact]
    public void Machine_that_tells_nothing_is_unknown_and_not_short()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Delete("/proc/self/cgroup");
        LinuxMemoryPressureSource source = linux.Open();
        Assert.Equal((0, false), (source.GetAvailableBytes(), source.IsHigh()));
    }

    [Fact]
    public void Files_that_vanish_later_say_nothing()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(totalKibibytes: 1000, availableKibibytes: 900);
        linux.Group("/outer/inner", limit: 100, usage: 95);
        LinuxMemoryPressureSource source = linux.Open();
        Assert.Equal((100, true), (source.GetAvailableBytes(), source.IsHigh()));
        linux.Delete(linux.Folder("/outer/inner") + "/memory.max");
        linux.Delete(linux.Folder("/outer/inner") + "/memory.current");
        Assert.Equal((1000 * 1024, false), (source.GetAvailableBytes(), source.IsHigh()));
    }

    [Fact]
    public void Real_system_is_sane()
    {
        long available = MemoryPressureSource.System.GetAvailableBytes();
        Assert.InRange(available, 16 * MiB, 1L << 46);
        if (OperatingSystem.IsLinux())
        {
            Assert.InRange(available, 16 * MiB, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);
        }

        _ = MemoryPressureSource.System.IsHigh();
        Assert.Equal(available, MemoryPressureSource.System.GetAvailableBytes());
    }

    [Fact]
    public void System_is_asked_in_its_own_way() =>
        Assert.IsType(OperatingSystem.IsLinux() ? typeof(LinuxMemoryPressureSource) : typeof(RuntimeMemoryPressureSource), MemoryPressureSource.System);

    [Fact]
    public void Groups_are_found_later_by_a_process_that_had_no_file_left()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has these files.");
        ChildProcess.Run(AskWithoutFiles, ["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1"]);
    }

    private static void AskWithoutFiles()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(totalKibibytes: 1024 * 1024, availableKibibytes: 900 * 1024);
        linux.Group("/outer", limit: 100 * MiB, usage: 95 * MiB);

        // What the runtime loads for all of it takes files, too.
        Assert.Equal((100 * MiB, true, true), Ask(linux.Open(runtimeLimit: 75 * MiB)));
        Assert.ThrowsAny<IOException>(static () => { File.OpenRead("/no/file").Dispose(); });
        int before = CountOpen();
        LinuxMemoryPressureSource source = linux.Open(runtimeLimit: 75 * MiB);
        var files = new List<FileStream>();
        LimitFiles(200);
        Assert.ThrowsAny<IOException>(Fill);
        Assert.Equal((75 * MiB, false, false), Ask(source));
        files.ForEach(static file => file.Dispose());
        Assert.Equal((100 * MiB, true, true), Ask(source));
        Assert.Equal(before, CountOpen());

        static int CountOpen() => Directory.GetFiles("/proc/self/fd").Length;

        static (long Bytes, bool IsHigh, bool IsLimited) Ask(MemoryPressureSource source) => (source.GetAvailableBytes(), source.IsHigh(), source.IsLimited);

        void Fill()
        {
            while (true)
            {
                files.Add(File.OpenRead("/dev/null"));
            }
        }
    }

    private static unsafe void LimitFiles(ulong count)
    {
        const int Files = 7;
        ulong* limit = stackalloc ulong[] { count, count };
        Assert.Equal(0, setrlimit(Files, limit));
    }

    [DllImport("libc")]
    private static extern unsafe int setrlimit(int resource, ulong* limit);

    [Fact]
    public void Source_of_an_application_knows_of_no_limit_unless_it_says_so() => Assert.False(new ManualMemoryPressure().IsLimited);

    [Fact]
    public void Runtime_source_knows_what_the_collector_knows()
    {
        var source = new RuntimeMemoryPressureSource();
        GC.Collect();
#if LIBRARY_NETSTANDARD
        Assert.Equal(0, source.GetAvailableBytes());
        Assert.False(source.IsHigh());
#else
        GCMemoryInfo info = GC.GetGCMemoryInfo();
        Assert.Equal(info.TotalAvailableMemoryBytes, source.GetAvailableBytes());
        Assert.Equal(info.MemoryLoadBytes >= info.HighMemoryLoadThresholdBytes, source.IsHigh());
        Assert.Equal(Convert.ToInt64(GC.GetConfigurationVariables()["GCHeapHardLimit"], CultureInfo.InvariantCulture) != 0, source.IsLimited);
#endif
    }
}

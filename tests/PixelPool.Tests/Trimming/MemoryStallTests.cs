namespace PixelPool.Tests.Trimming;

/// <summary>Tasks that wait for memory (pressure stall information) are pressure, where this process could help.</summary>
public class MemoryStallTests
{
    private const long MiB = 1 << 20;

    private const string Machine = "/proc/pressure/memory";

    [Theory]
    [InlineData("0.00", false)]
    [InlineData("9.99", false)]
    [InlineData("10.00", true)]
    [InlineData("100.00", true)]
    public void The_own_group_is_short_when_its_tasks_wait_a_tenth_of_their_time(string percent, bool high)
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(totalKibibytes: 1024 * 1024, availableKibibytes: 900 * 1024);
        linux.Group("/outer/inner", limit: null, usage: 1);
        linux.Stalls(linux.Folder("/outer/inner") + "/memory.pressure", percent);
        Assert.Equal(high, linux.Open().IsHigh());
    }

    [Theory]
    [InlineData("/outer", 74, false)]
    [InlineData("/outer", 75, true)]
    [InlineData("", 74, false)]
    [InlineData("", 75, true)]
    public void The_stalls_of_a_parent_count_when_less_than_a_quarter_of_its_memory_is_left(string group, long usage, bool high)
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Group("/outer/inner", limit: null, usage: 1);
        linux.Group(group, limit: 100 * MiB, usage * MiB);
        Assert.False(linux.Open().IsHigh());
        linux.Stalls(linux.Folder(group) + "/memory.pressure", "50.00");
        Assert.Equal(high, linux.Open().IsHigh());
    }

    [Theory]
    [InlineData(260, false)]
    [InlineData(250, true)]
    [InlineData(null, false)]
    public void The_stalls_of_the_machine_count_when_less_than_a_quarter_of_its_memory_is_left(int? available, bool high)
    {
        using var linux = new FakeLinux(isVersion2: false);
        linux.Machine(1000, available);
        Assert.False(linux.Open().IsHigh());
        linux.Stalls(Machine, "50.00");
        Assert.Equal(high, linux.Open().IsHigh());
    }

    [Fact]
    public void The_stalls_of_a_root_without_a_limit_are_those_of_the_machine_and_not_of_the_process()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Write("/proc/self/cgroup", "0::/\n");
        linux.Machine(totalKibibytes: 1024 * 1024, availableKibibytes: 900 * 1024);
        linux.Stalls(linux.Folder(string.Empty) + "/memory.pressure", "50.00");
        Assert.False(linux.Open().IsHigh());
        linux.Group(string.Empty, limit: 1000 * MiB, usage: 1);
        Assert.True(linux.Open().IsHigh());
    }

    [Fact]
    public void What_changes_is_seen()
    {
        using var linux = new FakeLinux(isVersion2: true);
        string file = linux.Folder("/outer/inner") + "/memory.pressure";
        linux.Group("/outer/inner", limit: null, usage: 1);
        linux.Stalls(file, "3.00");
        MemoryPressureSource source = linux.Open();
        Assert.False(source.IsHigh());
        linux.Stalls(file, "30.00");
        Assert.True(source.IsHigh());
        linux.Write(file, string.Empty);
        Assert.False(source.IsHigh());
    }

    [Theory]
    [InlineData("")]
    [InlineData("\n")]
    [InlineData("nonsense")]
    [InlineData("some avg10=\n")]
    [InlineData("some avg10=-50.00 avg60=0.00\n")]
    [InlineData("full avg10=99.00 avg60=99.00\n")]
    public void Files_that_say_nothing_are_no_pressure(string text)
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Machine(1000, 200);
        linux.Group("/outer/inner", limit: null, usage: 1);
        linux.Write(linux.Folder("/outer/inner") + "/memory.pressure", text);
        linux.Write(Machine, text);
        Assert.False(linux.Open().IsHigh());
    }

    [Fact]
    public void In_a_hybrid_system_one_hierarchy_has_the_limits_and_the_other_the_stalls()
    {
        using var linux = new FakeLinux(isVersion2: false);
        linux.Write("/proc/self/cgroup", "4:memory:/outer/inner\n0::/service\n");
        linux.Group("/outer/inner", limit: 100 * MiB, usage: 1);
        linux.Stalls("/sys/fs/cgroup/unified/memory.pressure", "50.00");
        Assert.Equal((100 * MiB, false), (linux.Open().GetAvailableBytes(), linux.Open().IsHigh()));
        linux.Stalls("/sys/fs/cgroup/unified/service/memory.pressure", "50.00");
        Assert.True(linux.Open().IsHigh());
    }
}

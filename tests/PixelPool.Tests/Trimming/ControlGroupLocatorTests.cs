using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

public class ControlGroupLocatorTests
{
    private const long MiB = 1 << 20;

    [Fact]
    public void Version_2_climbs_from_the_group_to_the_mount_point() =>
        Assert.Equal(
            ["/m/user.slice/user-1000.slice/session-2.scope", "/m/user.slice/user-1000.slice", "/m/user.slice", "/m"],
            ControlGroupLocator.Locate(["0::/user.slice/user-1000.slice/session-2.scope"], "/m", isVersion2: true));

    [Theory]
    [InlineData("0::/")]
    [InlineData("0::/..")]
    [InlineData("0::/../sibling/child")]
    [InlineData("0::")]
    public void Version_2_in_a_namespace_of_its_own_is_the_mount_point(string line) =>
        Assert.Equal(["/m"], ControlGroupLocator.Locate([line], "/m", isVersion2: true));

    [Theory]
    [InlineData("11:hugetlb,memory,pids:/jobs/17")]
    [InlineData("4:memory:/jobs/17/")]
    public void Version_1_takes_the_hierarchy_that_has_the_memory_controller(string line) =>
        Assert.Equal(
            ["/m/jobs/17", "/m/jobs", "/m"],
            ControlGroupLocator.Locate(["12:cpu,cpuacct:/build", line, "1:name=systemd:/init.scope", "0::/service"], "/m", isVersion2: false));

    [Fact]
    public void Path_with_a_colon_is_kept_whole() =>
        Assert.Equal(["/m/a:b/c", "/m/a:b", "/m"], ControlGroupLocator.Locate(["0::/a:b/c"], "/m", isVersion2: true));

    [Theory]
    [InlineData("", true)]
    [InlineData("nonsense", true)]
    [InlineData("::", false)]
    [InlineData("4:memory:/a", true)]
    [InlineData("0::/a", false)]
    [InlineData("4:memory2,xmemory:/a", false)]
    public void Nothing_is_found_where_there_is_nothing(string line, bool isVersion2) =>
        Assert.Empty(ControlGroupLocator.Locate([line], "/m", isVersion2));

    [Fact]
    public void Hybrid_system_has_groups_of_both_versions()
    {
        using var linux = new FakeLinux(isVersion2: false);
        linux.Write("/proc/self/cgroup", "4:memory:/outer/inner\n1:cpu:/\n0::/service\n");
        linux.Group("/outer", limit: 100 * MiB, usage: 1);
        linux.Write("/sys/fs/cgroup/unified/service/memory.max", $"{90 * MiB}\n");
        Assert.Equal(90 * MiB, linux.Open().GetAvailableBytes());
        linux.Write("/sys/fs/cgroup/unified/service/memory.max", "max\n");
        Assert.Equal(100 * MiB, linux.Open().GetAvailableBytes());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Container_without_a_namespace_has_its_own_group_as_the_mount_point(bool isVersion2)
    {
        using var linux = new FakeLinux(isVersion2);
        linux.Write("/proc/self/cgroup", isVersion2 ? "0::/docker/f00d\n" : "9:memory:/docker/f00d\n");
        linux.Group(string.Empty, limit: 100 * MiB, usage: 95 * MiB);
        Assert.Equal((100 * MiB, true), (linux.Open().GetAvailableBytes(), linux.Open().IsHigh()));
    }

    [Fact]
    public void Stalls_of_a_container_without_a_namespace_are_its_own()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Write("/proc/self/cgroup", "0::/docker/f00d\n");
        linux.Group(string.Empty, limit: null, usage: 1);
        linux.Stalls("/sys/fs/cgroup/memory.pressure", "50.00");
        Assert.True(linux.Open().IsHigh());
    }
}

using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

public class ControlGroupLocatorTests
{
    private const string V2Mount = "30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n";

    private const string V1Mounts =
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        + "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
        + "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:11 master:3 - cgroup cgroup rw,cpu,cpuacct\n"
        + "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n";

    [Fact]
    public void Version_2_climbs_from_the_group_to_the_mount_point() =>
        AssertFound(
            "0::/user.slice/user-1000.slice/session-2.scope\n",
            V2Mount,
            ("/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope", true),
            ("/sys/fs/cgroup/user.slice/user-1000.slice", true),
            ("/sys/fs/cgroup/user.slice", true),
            ("/sys/fs/cgroup", true));

    [Theory]
    [InlineData("0::/\n")]
    [InlineData("0::/")]
    [InlineData("0::/..\n")]
    [InlineData("0::/../sibling/child\n")]
    public void Version_2_in_a_namespace_of_its_own_is_the_mount_point(string cgroups) =>
        AssertFound(cgroups, V2Mount, ("/sys/fs/cgroup", true));

    [Fact]
    public void Version_1_takes_the_hierarchy_that_has_the_memory_controller() =>
        AssertFound(
            "12:cpu,cpuacct:/build\n11:hugetlb,memory,pids:/jobs/17\n1:name=systemd:/init.scope\n",
            V1Mounts,
            ("/sys/fs/cgroup/memory/jobs/17", false),
            ("/sys/fs/cgroup/memory/jobs", false),
            ("/sys/fs/cgroup/memory", false));

    [Theory]
    [InlineData("rw,cpu,memory")]
    [InlineData("memory,cpu,rw")]
    public void Version_1_mount_may_serve_several_controllers(string options) =>
        AssertFound(
            "4:memory,cpu:/a\n",
            $"40 31 0:32 / /cgroup/both rw - cgroup cgroup {options}\n",
            ("/cgroup/both/a", false),
            ("/cgroup/both", false));

    [Fact]
    public void Controller_whose_name_only_contains_memory_is_another_one() =>
        AssertFound("4:memory2:/a\n3:xmemory:/b\n", "40 31 0:32 / /m rw - cgroup cgroup rw,memory2\n");

    [Fact]
    public void Hybrid_system_gives_both_the_first_version_first() =>
        AssertFound(
            "4:memory:/process_api/ac43\n1:cpu:/\n0::/system.slice/app.service\n",
            V1Mounts + "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n",
            ("/sys/fs/cgroup/memory/process_api/ac43", false),
            ("/sys/fs/cgroup/memory/process_api", false),
            ("/sys/fs/cgroup/memory", false),
            ("/sys/fs/cgroup/unified/system.slice/app.service", true),
            ("/sys/fs/cgroup/unified/system.slice", true),
            ("/sys/fs/cgroup/unified", true));

    [Fact]
    public void Docker_without_a_namespace_shows_only_the_groups_own_folder() =>
        AssertFound(
            "9:memory:/docker/f00d\n",
            "840 835 0:31 /docker/f00d /sys/fs/cgroup/memory ro,nosuid master:18 - cgroup cgroup rw,memory\n",
            ("/sys/fs/cgroup/memory", false));

    [Fact]
    public void Group_nested_in_a_container_is_found_below_the_mount_point() =>
        AssertFound(
            "9:memory:/docker/f00d/worker/3\n",
            "840 835 0:31 /docker/f00d /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
            ("/sys/fs/cgroup/memory/worker/3", false),
            ("/sys/fs/cgroup/memory/worker", false),
            ("/sys/fs/cgroup/memory", false));

    [Theory]
    [InlineData("9:memory:/kubepods/pod1/c2\n")]
    [InlineData("9:memory:/docker/f00dfeed\n")]
    [InlineData("9:memory:/\n")]
    public void Group_that_is_not_below_the_mounted_one_is_the_mount_point(string cgroups) =>
        AssertFound(
            cgroups,
            "840 835 0:31 /docker/f00d /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
            ("/sys/fs/cgroup/memory", false));

    [Fact]
    public void Mount_of_a_namespace_seen_from_inside_is_the_mount_point() =>
        AssertFound("0::/\n", "840 835 0:31 /../../.. /sys/fs/cgroup ro - cgroup2 cgroup rw\n", ("/sys/fs/cgroup", true));

    [Theory]
    [InlineData(@"/mnt/my\040groups", "/mnt/my groups")]
    [InlineData(@"/mnt/a\011b\012c", "/mnt/a\tb\nc")]
    [InlineData(@"/mnt/back\134slash\040end", @"/mnt/back\slash end")]
    [InlineData(@"/mnt/end\040", "/mnt/end ")]
    [InlineData(@"/mnt/twice\134040", @"/mnt/twice\040")]
    [InlineData(@"/mnt/it\047s", "/mnt/it's")]
    [InlineData(@"/mnt/not\escaped\080", @"/mnt/not\escaped\080")]
    [InlineData(@"/mnt/day1040", "/mnt/day1040")]
    [InlineData(@"/mnt/cut\04", @"/mnt/cut\04")]
    public void Escaped_mount_points_are_read(string escaped, string folder) =>
        AssertFound("0::/g\n", $"30 23 0:26 / {escaped} rw - cgroup2 cgroup2 rw\n", (folder + "/g", true), (folder, true));

    [Fact]
    public void Escaped_root_is_compared_as_the_path_it_is() =>
        AssertFound("0::/my group/x\n", "30 23 0:26 /my\\040group /c rw - cgroup2 cgroup2 rw\n", ("/c/x", true), ("/c", true));

    [Fact]
    public void Path_with_a_colon_is_kept_whole() =>
        AssertFound("0::/a:b/c\n", V2Mount, ("/sys/fs/cgroup/a:b/c", true), ("/sys/fs/cgroup/a:b", true), ("/sys/fs/cgroup", true));

    [Fact]
    public void Optional_fields_of_a_mount_may_be_any_number() =>
        AssertFound(
            "0::/a\n",
            "30 23 0:26 / /c rw shared:1 master:2 propagate_from:3 unbindable - cgroup2 cgroup2 rw\n",
            ("/c/a", true),
            ("/c", true));

    [Theory]
    [InlineData("", "")]
    [InlineData("", V2Mount)]
    [InlineData("0::/a\n", "")]
    [InlineData("0::/a\n", "nonsense\n\n - \n- cgroup2 x y\n")]
    [InlineData("0::/a\n", "30 23 - cgroup2 cgroup2 rw\n")]
    [InlineData("0::/a\n", "30 23 0:26 / - cgroup2 cgroup2 rw\n")]
    [InlineData("4:memory:/a\n", V2Mount)]
    [InlineData("0::/a\n", V1Mounts)]
    [InlineData("nonsense\n::\n", V1Mounts)]
    [InlineData("4:memory:/a\n", "35 31 0:32 / /m rw - cgroup cgroup\n")]
    public void Nothing_is_found_where_there_is_nothing(string cgroups, string mounts) => AssertFound(cgroups, mounts);

    private static void AssertFound(string cgroups, string mounts, params (string Folder, bool IsVersion2)[] expected) =>
        Assert.Equal(expected, new[] { false, true }.SelectMany(isVersion2 => ControlGroupLocator.Locate(cgroups, mounts, isVersion2).Select(folder => (folder, isVersion2))));
}

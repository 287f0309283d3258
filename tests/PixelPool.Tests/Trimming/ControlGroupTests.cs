namespace PixelPool.Tests.Trimming;

/// <summary>Which files of a control group are looked at.</summary>
public class ControlGroupTests
{
    private const long MiB = 1 << 20;

    [Fact]
    public void Files_of_version_2_say_nothing_in_version_1()
    {
        using var linux = new FakeLinux(isVersion2: false);
        linux.Group("/outer/inner", limit: 300 * MiB, usage: 95 * MiB);
        linux.Write(linux.Folder("/outer/inner") + "/memory.high", $"{100 * MiB}\n");
        linux.Stalls(linux.Folder("/outer/inner") + "/memory.pressure", "50.00");
        Assert.Equal((300 * MiB, false), (linux.Open().GetAvailableBytes(), linux.Open().IsHigh()));
    }

    [Fact]
    public void Limit_of_the_parents_in_version_1_says_nothing_in_version_2()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Group(string.Empty, limit: 300 * MiB, usage: 95 * MiB);
        WriteHiddenLimit(linux, 100 * MiB);
        Assert.Equal((300 * MiB, false), (linux.Open().GetAvailableBytes(), linux.Open().IsHigh()));
    }

    [Fact]
    public void Group_that_does_not_tell_its_use_is_not_known_to_be_short()
    {
        using var linux = new FakeLinux(isVersion2: true);
        linux.Group("/outer/inner", limit: null, usage: 1);
        linux.Group("/outer", limit: 100 * MiB, usage: 100 * MiB);
        linux.Stalls(linux.Folder("/outer") + "/memory.pressure", "50.00");
        Assert.True(linux.Open().IsHigh());
        linux.Delete(linux.Folder("/outer") + "/memory.current");
        Assert.False(linux.Open().IsHigh());
    }

    private static void WriteHiddenLimit(FakeLinux linux, long bytes) =>
        linux.Write(linux.Folder(string.Empty) + "/memory.stat", $"cache 9\nhierarchical_memory_limit {bytes}\ntotal_inactive_file 0\n");
}

#if !LIBRARY_NETSTANDARD
using PixelPool.Tests.Infrastructure;
using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

/// <summary>What the collector tells, in processes with settings of their own.</summary>
[Trait("Category", "Long")]
public class RuntimeMemoryPressureTests
{
    [Fact]
    public void Process_whose_heap_has_a_limit_is_limited() => ChildProcess.Run(AssertLimited, "DOTNET_GCHeapHardLimit=0x10000000");

    // With the first generation this large, nothing is collected before the test does it.
    [Fact]
    public void Memory_is_short_when_a_collection_saw_more_use_than_its_threshold() =>
        ChildProcess.Run(AssertShort, "DOTNET_GCHighMemPercent=0x1", "DOTNET_GCgen0size=0x8000000");

    private static void AssertLimited()
    {
        Assert.Equal(0x10000000, new RuntimeMemoryPressureSource().GetAvailableBytes());
        Assert.True(new RuntimeMemoryPressureSource().IsLimited);
    }

    private static void AssertShort()
    {
        Assert.Equal(0, GC.CollectionCount(0));
        Assert.False(new RuntimeMemoryPressureSource().IsHigh());
        GC.Collect();
        Assert.True(new RuntimeMemoryPressureSource().IsHigh());
    }
}
#endif

#if !LIBRARY_NETSTANDARD // that build has no such barrier
using System.Runtime.InteropServices;
using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Threading;

/// <summary>Where the runtime's barrier for the process is none, nothing relies on it.</summary>
[Trait("Category", "Long")]
public class ProcessBarrierTests
{
    public static TheoryData<string, Architecture, bool, bool, bool> Systems => new()
    {
        { "WINDOWS", Architecture.X64, false, false, true },
        { "WINDOWS", Architecture.Arm64, false, false, true },
        { "WINDOWS", Architecture.X64, true, false, false },
        { "OSX", Architecture.X64, false, false, true },
        { "OSX", Architecture.Arm64, false, false, true },
        { "LINUX", Architecture.X64, false, false, true },
        { "LINUX", Architecture.X64, false, true, true },
        { "LINUX", Architecture.X86, false, false, true },
        { "LINUX", Architecture.Arm64, false, true, true },
        { "LINUX", Architecture.Arm64, false, false, false },
        { "LINUX", Architecture.Arm, false, false, false },
        { "LINUX", Architecture.RiscV64, false, false, false },
        { "OTHER", Architecture.X64, false, false, true },
        { "OTHER", Architecture.Arm64, false, true, false },
        { "OTHER", Architecture.Wasm, false, true, false },
    };

    [Theory]
    [MemberData(nameof(Systems))]
    public void It_is_one_where_other_processors_are_interrupted(string system, Architecture processor, bool isWine, bool hasMembarrier, bool expected) =>
        Assert.Equal(expected, ProcessBarrier.IsReal(OSPlatform.Create(system).Equals, processor, () => isWine, () => hasMembarrier));

    [Fact]
    public void The_kernel_of_this_machine_says_what_the_documentation_of_its_version_says()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.OSVersion.Version >= new Version(4, 16), "the call came with Linux 4.14, its registration with 4.16");
        Assert.True(Membarrier.IsSupported());
    }

    [Fact]
    public void Without_it_threads_keep_no_memory_and_everything_else_is_as_with_it()
    {
        Assert.SkipUnless(ProcessBarrier.IsSupported, "this is the process without it");
        ChildProcess.RunTests(
            ["PixelPool.Tests.Threading", "PixelPool.Tests.FixedBlocks", "PixelPool.Tests.Stress"], ChildProcess.WithoutBarrier, "PIXELPOOLTESTS_STRESS_SECONDS=0.3");
    }
}
#endif

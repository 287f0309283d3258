using PixelPool.Diagnostics;

namespace PixelPool.Recording.Tests;

public class PublicTypesTests
{
    [Fact]
    public void They_are_the_recorder_and_what_it_records() => Assert.Equal(
        [typeof(MemoryMoment), typeof(MemoryRecorder), typeof(MemoryRecorderOptions), typeof(MemoryRecording), typeof(MemorySample)],
        typeof(MemoryRecorder).Assembly.GetExportedTypes().OrderBy(static type => type.FullName, StringComparer.Ordinal));

    [Fact]
    public void They_need_nothing_but_PixelPool_and_the_base_library() => Assert.Equal(
        ["PixelPool"],
        typeof(MemoryRecorder).Assembly.GetReferencedAssemblies().Select(static assembly => assembly.Name!)
            .Where(static name => name != "netstandard" && !name.StartsWith("System.", StringComparison.Ordinal) && name != "Microsoft.Bcl.TimeProvider"));
}

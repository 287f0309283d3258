#if !LIBRARY_NETSTANDARD // that build finds files and lines only while a stack is taken
using System.Runtime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>What a process pays that needs one image: nothing is made, read or loaded before somebody needs it.</summary>
public class FirstImageTests
{
    // A method that is compiled takes a tenth of a millisecond. A tenth more than it is today, which may change with the runtime.
    private const int MostMethods = 445;

    // What only meters and symbols need.
    private static readonly string[] s_unneeded = ["System.Diagnostics.DiagnosticSource", "System.Reflection.Metadata", "System.Linq"];

    [Fact]
    public void It_compiles_few_methods_loads_little_and_collects_nothing() => ChildProcess.Run(RentOne);

    private static void RentOne()
    {
        HashSet<string> before = LoadedAssemblies();
        int collections = GC.CollectionCount(0);
        long methods = JitInfo.GetCompiledMethodCount();
        PixelAllocator allocator = PixelAllocator.Create();
        using (PixelBuffer<int> image = allocator.Rent<int>(1920, 1080))
        {
            image.Fill(7);
        }

        methods = JitInfo.GetCompiledMethodCount() - methods;
        Assert.Equal(collections, GC.CollectionCount(0));
        Assert.Empty(LoadedAssemblies().Except(before).Intersect(s_unneeded));
        Assert.InRange(methods, 0, MostMethods);
        Assert.DoesNotContain("/proc/meminfo", OpenFiles());
        GC.KeepAlive(allocator);
    }

    // What the process may use is asked when more than a few blocks are held.
    private static IEnumerable<string?> OpenFiles() =>
        OperatingSystem.IsLinux() ? Directory.GetFiles("/proc/self/fd").Select(static file => new FileInfo(file).LinkTarget) : [];

    private static HashSet<string> LoadedAssemblies() => [.. AppDomain.CurrentDomain.GetAssemblies().Select(static assembly => assembly.GetName().Name!)];
}
#endif

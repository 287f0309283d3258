#if !LIBRARY_NETSTANDARD // there .NET looks for lines while it takes a stack
using System.Diagnostics;
using System.Reflection;
using System.Runtime.Loader;
using PixelPool.Diagnostics;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Lines are looked up when somebody asks for them, which may be long after the stack was taken.</summary>
public sealed class SourceFrameTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("pixelpool-lines");

    public void Dispose() => _folder.Delete(recursive: true);

    /// <summary>An application is updated while it runs.</summary>
    [Fact]
    public void A_file_that_was_replaced_is_not_asked()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows keeps the files of what is loaded.");
        string file = Copy(typeof(SourceFrameTests).Assembly.Location);
        StackTrace stack = TakeIn(file);
        Assert.Equal($"{nameof(SourceFrameTests)}.cs", Path.GetFileName(SourceFrame.Find(stack, 0).GetFrame(0)!.GetFileName()));

        Replace(file, stack.GetFrame(0)!.GetMethod()!.Module.ModuleVersionId);
        StackFrame frame = SourceFrame.Find(stack, 0).GetFrame(0)!;
        Assert.Equal((nameof(Take), null), (frame.GetMethod()!.Name, frame.GetFileName()));
    }

    /// <summary>Called in a copy of this assembly.</summary>
    public static StackTrace Take() => new();

    private static StackTrace TakeIn(string file)
    {
        MethodInfo take = new AssemblyLoadContext(nameof(SourceFrameTests), isCollectible: true).LoadFromAssemblyPath(file)
            .GetType(typeof(SourceFrameTests).FullName!, throwOnError: true)!.GetMethod(nameof(Take))!;
        var stack = (StackTrace)take.Invoke(null, [])!;
        Assert.Equal(take, stack.GetFrame(0)!.GetMethod());
        return stack;
    }

    // With its symbols.
    private string Copy(string assembly)
    {
        string symbols = Path.ChangeExtension(assembly, ".pdb");
        File.Copy(symbols, Path.Combine(_folder.FullName, Path.GetFileName(symbols)));
        string copy = Path.Combine(_folder.FullName, Path.GetFileName(assembly));
        File.Copy(assembly, copy);
        return copy;
    }

    // By the same code as another version of it.
    private static void Replace(string file, Guid version)
    {
        byte[] code = File.ReadAllBytes(file);
        int place = code.AsSpan().IndexOf(version.ToByteArray());
        Assert.NotEqual(-1, place);
        Guid.NewGuid().TryWriteBytes(code.AsSpan(place));
        File.Delete(file);
        File.WriteAllBytes(file, code);
    }
}
#endif

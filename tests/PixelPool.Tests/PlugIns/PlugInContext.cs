using System.Reflection;
using System.Runtime.Loader;
using PixelPool.Diagnostics;

namespace PixelPool.Tests.PlugIns;

/// <summary>A plug-in as applications load them: it can be unloaded, and has an assembly of its own.</summary>
/// <param name="shares">Whether it has PixelPool in common with its host. Otherwise it brings its own, which is unloaded with it.</param>
internal sealed class PlugInContext(bool shares) : AssemblyLoadContext(nameof(PlugInContext), isCollectible: true)
{
    // The other packages are made for the library beside them.
    private static readonly Assembly[] s_pixelPool = [typeof(PixelAllocator).Assembly, typeof(FixedBlockAllocator<>).Assembly, typeof(MemoryRecorder).Assembly];

    /// <summary>A static method of this assembly's copy in the context.</summary>
    public TDelegate Find<TDelegate>(Type type, string method)
        where TDelegate : Delegate =>
        LoadFromAssemblyPath(type.Assembly.Location).GetType(type.FullName!, throwOnError: true)!.GetMethod(method)!.CreateDelegate<TDelegate>();

    protected override Assembly? Load(AssemblyName assemblyName) =>
        !shares && s_pixelPool.FirstOrDefault(library => library.GetName().Name == assemblyName.Name) is { } own ? LoadFromAssemblyPath(own.Location) : null;
}

using System.Diagnostics;
using System.Reflection;

namespace PixelPool.Diagnostics;

/// <summary>Code that can be unloaded: that of plug-ins, and what is generated while the program runs. Whoever keeps its methods or types keeps it loaded.</summary>
internal static class UnloadableCode
{
#if !NET
    // This build also runs on runtimes that unload code, though its base library does not know that.
    private static readonly Func<Assembly, bool>? s_isCollectible =
        typeof(Assembly).GetProperty("IsCollectible")?.GetMethod?.CreateDelegate(typeof(Func<Assembly, bool>)) as Func<Assembly, bool>;
#endif

    /// <summary>True of methods in assemblies that can be unloaded, and of those that were generated alone, which belong to no type.</summary>
    /// <remarks>Not asked of the method itself: where nothing can be unloaded (Native AOT, Mono), methods say of themselves that they can, and assemblies do not.</remarks>
    public static bool Has(MethodBase method) => method.DeclaringType is null || IsCollectible(method.Module.Assembly);

    /// <summary>Whether such code threw the exception, or one that led to it.</summary>
    public static bool Threw(Exception failure)
    {
        RentStackTable.Fingerprint(new StackTrace(failure, fNeedFileInfo: false), out bool canBeUnloaded);
        return canBeUnloaded || (failure.InnerException is { } inner && Threw(inner));
    }

    /// <summary>
    /// A number for the method and the module it is in, which does not come back: what the runtime knows a method by is given to another one when the code is
    /// unloaded.
    /// </summary>
    public static ulong Identify(MethodBase method)
    {
        // A method that was generated alone has no place in its module; it has a hash code of its own.
        return (ulong)(uint)method.Module.ModuleVersionId.GetHashCode() << 32 | (method.DeclaringType is null ? 0 : (uint)method.MetadataToken);
    }

    private static bool IsCollectible(Assembly assembly) =>
#if NET
        assembly.IsCollectible;
#else
        s_isCollectible is not null && s_isCollectible(assembly);
#endif
}

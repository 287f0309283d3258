using System.Reflection;
#if NET
using System.Runtime.CompilerServices;
#endif

namespace PixelPool.Diagnostics;

/// <summary>Code that can be unloaded: that of plug-ins, and what is generated while the program runs. Whoever keeps its methods or types keeps it loaded.</summary>
internal static class UnloadableCode
{
#if !NET
    // This build also runs on runtimes that unload code, though its base library does not know that.
    private static readonly Func<MemberInfo, bool>? s_isCollectible =
        typeof(MemberInfo).GetProperty("IsCollectible")?.GetMethod?.CreateDelegate(typeof(Func<MemberInfo, bool>)) as Func<MemberInfo, bool>;
#endif

    public static bool Has(MethodBase method) =>
#if NET
        // Native AOT unloads nothing, and says true of every member.
        RuntimeFeature.IsDynamicCodeSupported && method.IsCollectible;
#else
        s_isCollectible is not null && s_isCollectible(method);
#endif

    /// <summary>
    /// A number for the method and the module it is in, which does not come back: what the runtime knows a method by is given to another one when the code is
    /// unloaded.
    /// </summary>
    public static ulong Identify(MethodBase method)
    {
        // A method that was generated alone has no place in its module; it has a hash code of its own.
        uint token = method.DeclaringType is null ? 0 : (uint)method.MetadataToken;
        return (ulong)(uint)method.Module.ModuleVersionId.GetHashCode() << 32 | token;
    }
}

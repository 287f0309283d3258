#if NET
using System.Runtime.CompilerServices;
#endif
using System.Runtime.InteropServices;

namespace PixelPool.Lifetime;

/// <summary>The functions that native code calls to release what was given to it. Nothing leaves them but their result.</summary>
internal static unsafe class ReleaseFunctions
{
#if NET
    /// <summary><c>int release(void *context)</c></summary>
    public static nint ContextFirst => (nint)(delegate* unmanaged[Cdecl]<nint, int>)&ReleaseFirst;

    /// <summary><c>int release(void *any, void *context)</c></summary>
    public static nint ContextSecond => (nint)(delegate* unmanaged[Cdecl]<nint, nint, int>)&ReleaseSecond;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int ReleaseFirst(nint context) => NativeReferences.Release(context);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int ReleaseSecond(nint any, nint context) => NativeReferences.Release(context);
#else
    // Held forever: the pointers are theirs.
    private static readonly First s_first = NativeReferences.Release;
    private static readonly Second s_second = ReleaseSecond;

    private static int ReleaseSecond(nint any, nint context) => NativeReferences.Release(context);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int First(nint context);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int Second(nint any, nint context);

    /// <summary><c>int release(void *context)</c></summary>
    public static nint ContextFirst { get; } = Marshal.GetFunctionPointerForDelegate(s_first);

    /// <summary><c>int release(void *any, void *context)</c></summary>
    public static nint ContextSecond { get; } = Marshal.GetFunctionPointerForDelegate(s_second);
#endif
}

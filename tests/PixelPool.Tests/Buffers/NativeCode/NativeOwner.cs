using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers.NativeCode;

/// <summary>Stands for a native library that was given pixels: it calls the release functions through their pointers.</summary>
internal static unsafe partial class NativeOwner
{
    /// <summary>Calls as GLib, cairo and FFmpeg do.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int ReleaseFirst(nint context) => ((delegate* unmanaged[Cdecl]<nint, int>)NativePixels.ReleaseContextFirst)(context);

    /// <summary>Calls as Skia and GObject do.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int ReleaseSecond(nint any, nint context) => ((delegate* unmanaged[Cdecl]<nint, nint, int>)NativePixels.ReleaseContextSecond)(any, context);

    /// <summary>Calls with the context first, and with more behind it, as Core Graphics does.</summary>
    public static void ReleaseFirstOfThree(nint context) =>
        ((delegate* unmanaged[Cdecl]<nint, nint, nuint, void>)NativePixels.ReleaseContextFirst)(context, -1, 17);

    /// <summary>Calls on a thread that the runtime has never seen, and waits for its end.</summary>
    public static void ReleaseOnNativeThread(nint context)
    {
        Assert.Equal(0, CreateThread(out nint thread, 0, NativePixels.ReleaseContextFirst, context));
        Assert.Equal(0, JoinThread(thread, 0));
    }

    [LibraryImport("libc", EntryPoint = "pthread_create")]
    private static partial int CreateThread(out nint thread, nint attributes, nint start, nint argument);

    [LibraryImport("libc", EntryPoint = "pthread_join")]
    private static partial int JoinThread(nint thread, nint result);
}

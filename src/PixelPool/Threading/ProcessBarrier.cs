#if NET
using System.Runtime.InteropServices;
#endif

namespace PixelPool.Threading;

/// <summary>A memory barrier on every processor that runs a thread of this process, so that threads which are asked rarely need none of their own.</summary>
internal static unsafe class ProcessBarrier
{
    /// <summary>A switch of the application's context: false says that there is none.</summary>
    public const string Switch = "PixelPool.ProcessBarrier";

    private static long s_issued;

    /// <summary>How many were issued so far. Each stops all processors for a moment, so none is to come where memory is rented and returned.</summary>
    public static long Issued => Volatile.Read(ref s_issued);

    /// <summary>When it returns, every other thread has passed a full barrier: its stores before are seen here, and its loads after see what was stored here before.</summary>
    public static void Issue()
    {
        // A barrier of this thread by itself: where there is none for all, others pass their own.
        Interlocked.Increment(ref s_issued);
#if NET
        if (IsSupported)
        {
            Interlocked.MemoryBarrierProcessWide();
        }
#endif
    }

#if NET
    /// <summary>Whether there is one. Where there is none, threads pass barriers of their own, or go ways that need none: they keep no memory.</summary>
    public static readonly bool IsSupported = Find();

    /// <summary>Whether the runtime's barrier for the process is one.</summary>
    /// <param name="isOn">Whether that is the operating system.</param>
    /// <param name="processor">The kind of processor.</param>
    /// <param name="isWine">Whether this Windows is Wine.</param>
    /// <param name="hasMembarrier">Whether this Linux has the system call.</param>
    /// <remarks>
    /// Windows and macOS have calls for it, but in Wine 8 that one does nothing. On Linux the runtime uses <c>membarrier</c>, and without it changes the protection of a page. To make
    /// that known the kernel interrupts the other processors, which is a barrier, if they are of the x86 family. Arm64 makes it known without an interrupt (dotnet/coreclr#20949).
    /// </remarks>
    public static bool IsReal(Func<OSPlatform, bool> isOn, Architecture processor, Func<bool> isWine, Func<bool> hasMembarrier) =>
        isOn(OSPlatform.Windows) ? !isWine()
        : isOn(OSPlatform.OSX) || processor is Architecture.X64 or Architecture.X86 || (isOn(OSPlatform.Linux) && hasMembarrier());

    // An interrupt that left the initializer of a type, or a lack of memory, would be thrown again at every use of it. What is asked here has locks of its own.
    private static bool Find()
    {
        bool isSupported = false;
        Uninterrupted.Do(&Find, (nint)(&isSupported));
        return isSupported;
    }

    private static void Find(nint isSupported) => *(bool*)isSupported = (!AppContext.TryGetSwitch(Switch, out bool isOn) || isOn)
        && IsReal(RuntimeInformation.IsOSPlatform, RuntimeInformation.ProcessArchitecture, IsWine, Membarrier.IsSupported);

    private static bool IsWine() => NativeLibrary.TryLoad("ntdll.dll", out nint library) && NativeLibrary.TryGetExport(library, "wine_get_version", out _);
#else
    /// <summary>Whether there is one.</summary>
    public static bool IsSupported => false;
#endif
}

using System.Runtime.InteropServices;

namespace ThumbnailService.Memory;

/// <summary>
/// Makes <c>malloc</c> give large pieces back to the system as soon as they are freed. Left alone, glibc learns from the first one that such sizes come and
/// go, and from then on keeps up to 24 MiB of them for each of its arenas, of which two cores have 16: memory in nobody's budget.
/// </summary>
internal static partial class MallocThreshold
{
    /// <summary>M_MMAP_THRESHOLD of <c>malloc.h</c>. Setting it ends the learning.</summary>
    private const int MapThreshold = -3;

    private const int Bytes = 1 << 20;

    public static void Fix()
    {
        try
        {
            _ = SetOption(MapThreshold, Bytes);
        }
        catch (Exception problem) when (problem is DllNotFoundException or EntryPointNotFoundException)
        {
            // Another C library, with other habits.
        }
    }

    [LibraryImport("libc", EntryPoint = "mallopt")]
    private static partial int SetOption(int option, int value);
}

using System.Runtime.CompilerServices;

namespace PixelPool.Pooling;

/// <summary>The number of a thread that has caches. No other thread of the process ever gets the same.</summary>
/// <remarks>
/// By it a thread knows each of its caches at once, also those of several pools. And the runtime keeps a few bytes without references where the thread finds them without another load,
/// while references lie in an object that it makes for each thread.
/// </remarks>
internal static class ThreadNumber
{
    /// <summary>No thread has it.</summary>
    public const long Nobodys = -1;

    // So many rents and returns that no cache served are many.
    private const int Often = 64;

    [ThreadStatic]
    private static long s_mine;

    // Here, beside the number: every return that comes this far has looked at that.
    [ThreadStatic]
    private static int s_missed;

    private static long s_last;

    /// <summary>That of the calling thread; 0 when it has none.</summary>
    public static long Mine
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => s_mine;
    }

    /// <summary>Counts a rent or a return of the calling thread that no cache served.</summary>
    /// <returns>True for one in many.</returns>
    public static bool IsOftenMissed() => ++s_missed % Often == 0;

    /// <summary>That of the calling thread, which gets one if it has none.</summary>
    public static long Claim() => s_mine != 0 ? s_mine : s_mine = Interlocked.Increment(ref s_last);
}

namespace PixelPool.Native;

/// <summary>
/// Tells the garbage collector how much memory the process holds outside of its heap, so that it looks for leaked buffers while that grows.
/// </summary>
/// <remarks>
/// It is told the highest amount held, and less again only after a trim, on the timer of trimming while something is idle, or after a collection. Otherwise each image that is got from the
/// system and given back would count as new memory, and cause a collection of generation 2, though nothing grew. One account for the process, touched
/// only when memory comes from the system or goes back. It is told nothing of the first bytes: of a single image it would make a collection at once.
/// </remarks>
internal static class CollectorPressure
{
    private const long UntoldBytes = 32 << 20;

    private static long s_heldBytes;
    private static long s_toldBytes;

    /// <summary>Memory came from the system.</summary>
    public static void Add(long bytes)
    {
        long held = Interlocked.Add(ref s_heldBytes, bytes) - UntoldBytes;
        for (long told = Volatile.Read(ref s_toldBytes); held > told; told = Volatile.Read(ref s_toldBytes))
        {
            if (Interlocked.CompareExchange(ref s_toldBytes, held, told) == told)
            {
                GC.AddMemoryPressure(held - told);
                return;
            }
        }
    }

    /// <summary>Memory went back to the system. The collector hears of it at the next <see cref="Settle"/>.</summary>
    public static void Remove(long bytes) => Interlocked.Add(ref s_heldBytes, -bytes);

    /// <summary>Idle memory was looked at, or a collection is over: tells the collector when less than half of what it knows of is still held.</summary>
    public static void Settle()
    {
        long told = Volatile.Read(ref s_toldBytes);
        long held = Math.Max(0, Volatile.Read(ref s_heldBytes) - UntoldBytes);
        if (told > 0 && held < told / 2 && Interlocked.CompareExchange(ref s_toldBytes, held, told) == told)
        {
            // A process of 32 bits takes no more at once.
            for (long less = told - held; less > 0; less -= int.MaxValue)
            {
                GC.RemoveMemoryPressure(Math.Min(less, int.MaxValue));
            }
        }
    }
}

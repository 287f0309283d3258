namespace PixelPool.Budgets;

/// <summary>
/// How much of the memory that a process may use goes to images, when nothing but images is large in it. The rest stays free for what is in every
/// process.
/// </summary>
/// <remarks>
/// A .NET process that serves HTTP begins with 60 to 110 MiB (runtime, compiled code, thread stacks, the first heap), decoders work with a few MiB per
/// request, and the collector needs headroom before it collects. Therefore 160 MiB stay free, and in larger containers a quarter, because heap and
/// caches grow with the work that a container is made for. The collector sees the container's load, not only its heap: from 90 % on it collects harder.
/// In the small container that is common, 512 MiB, the budget of 352 MiB and a process of 110 MiB together are just that.
/// </remarks>
internal static class ContainerBudget
{
    /// <summary>What stays free at least.</summary>
    private const long ReservedBytes = 160L << 20;

    /// <summary>What stays free where that is more: the available bytes by this. It also is what images get at least, in a container where too little is left.</summary>
    private const int ReservedDivisor = 4;

    /// <summary>
    /// Taken for the available memory when nobody knows it, and in a 32-bit process, whose address space is what runs out: a common small container.
    /// </summary>
    private const long AssumedBytes = 512L << 20;

    // What a source says may be nonsense, such as the "no limit" number of a container.
    private const long MaxBytes = 1L << 40;

    public static long Bytes(long availableBytes)
    {
        if (availableBytes <= 0)
        {
            availableBytes = AssumedBytes;
        }

        availableBytes = Math.Min(availableBytes, IntPtr.Size == 4 ? AssumedBytes : MaxBytes);
        long quarter = availableBytes / ReservedDivisor;
        return Math.Max(1, Math.Max(quarter, availableBytes - Math.Max(quarter, ReservedBytes)));
    }
}

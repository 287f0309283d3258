namespace PixelPool.Tiers;

/// <summary>Chooses about one rent in N, at random, so that no loop of rents always misses its turn. Counts for each thread.</summary>
/// <param name="interval">N; at least 1.</param>
internal sealed class GuardedRentSampler(int interval)
{
    // Of the thread, for all allocators: what another one drew may be more than this one would.
    [ThreadStatic]
    private static long s_left;

    [ThreadStatic]
    private static ulong s_random;

    /// <summary>Counts a rent.</summary>
    /// <returns>Whether it is to be guarded.</returns>
    public bool TakesNext()
    {
        long most = (2L * interval) - 1;
        long left = s_left;
        if (left < 1 || left > most)
        {
            left = 1 + (long)(Draw() % (ulong)most);
        }

        s_left = left - 1;
        return left == 1;
    }

    // Marsaglia's xorshift: it need not be good, but cheap, and other than that of the next thread.
    private static ulong Draw()
    {
        ulong value = s_random;
        if (value == 0)
        {
            value = ((ulong)Environment.CurrentManagedThreadId * 0x9E37_79B9_7F4A_7C15) | 1;
        }

        value ^= value << 13;
        value ^= value >> 7;
        value ^= value << 17;
        s_random = value;
        return value >> 11;
    }
}

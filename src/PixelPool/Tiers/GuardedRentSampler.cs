namespace PixelPool.Tiers;

/// <summary>Chooses one rent in N, each by chance, so that no loop of rents always misses its turn, and no other allocator changes how often this one does.</summary>
/// <param name="interval">N; at least 1.</param>
internal sealed class GuardedRentSampler(int interval)
{
    [ThreadStatic]
    private static uint s_random;

    /// <summary>Whether the rent that begins is to be guarded.</summary>
    public bool TakesNext() => Draw() % (uint)interval == 0;

    // Marsaglia's xorshift: it need not be good, but cheap, and other than that of the next thread. It is never 0.
    private static uint Draw()
    {
        uint value = s_random != 0 ? s_random : ((uint)Environment.CurrentManagedThreadId * 0x9E37_79B9) | 1;
        value ^= value << 13;
        value ^= value >> 17;
        value ^= value << 5;
        return s_random = value;
    }
}

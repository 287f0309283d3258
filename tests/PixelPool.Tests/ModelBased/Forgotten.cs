namespace PixelPool.Tests.ModelBased;

/// <summary>Memory that was forgotten, which finalizers return.</summary>
internal static class Forgotten
{
    private const int Rounds = 4;

    /// <summary>Collects garbage until so many leaks were found, at most as often as <see cref="Collector"/> does.</summary>
    public static void Collect(PixelAllocator allocator, long leaks)
    {
        // At least once: a collection that came by itself may have counted the leak, and still be about to return the memory.
        int round = 0;
        do
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        while (++round < Rounds && allocator.GetStatistics().LeakedCount != leaks);
    }
}

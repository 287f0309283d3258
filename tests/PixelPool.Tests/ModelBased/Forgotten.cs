namespace PixelPool.Tests.ModelBased;

/// <summary>Memory that was forgotten, which finalizers return.</summary>
internal static class Forgotten
{
    private const int Rounds = 4;

    /// <summary>Collects garbage until so many leaks were found, at most as often as <see cref="Collector"/> does.</summary>
    public static void Collect(PixelAllocator allocator, long leaks)
    {
        for (int i = 0; i < Rounds && allocator.GetStatistics().LeakedCount != leaks; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}

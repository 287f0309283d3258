namespace PixelPool.Testing;

/// <summary>Managed bytes that an operation allocates on its thread, to the byte.</summary>
/// <remarks>
/// The runtime compiles hot methods anew while they run, and a stack of the depot grows once. So many short batches are measured: the cheapest one is
/// the price of the operation.
/// </remarks>
internal static class AllocationMeter
{
    private const int Operations = 50;

    // More of them could find an operation that allocates less, and no other: what allocates more than expected is measured again until time is up.
    private const int MinBatches = 10;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    /// <summary>Checks that one call allocates exactly this many bytes.</summary>
    public static void AssertAllocates(long expectedBytes, Action operation)
    {
        long started = TimeProvider.System.GetTimestamp();
        long best = long.MaxValue;
        for (int batch = 0; batch < MinBatches || (best > expectedBytes * Operations && TimeProvider.System.GetElapsedTime(started) < s_patience); batch++)
        {
            best = Math.Min(best, Measure(operation));
        }

        double perOperation = best / (double)Operations;
        TestContext.Current.TestOutputHelper?.WriteLine($"{perOperation} bytes per operation");
        Assert.Equal(expectedBytes, perOperation);
    }

    private static long Measure(Action operation)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Operations; i++)
        {
            operation();
        }

        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}

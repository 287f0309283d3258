namespace PixelPool.Threading;

/// <summary>Which of several stripes a thread writes to: that of its processor, so that two threads at once mostly write to two.</summary>
internal static class StripeIndex
{
    /// <summary>Any number; to be reduced to the number of stripes, a power of two, with a mask.</summary>
    public static int Current =>
#if NET
        Thread.GetCurrentProcessorId();
#else
        Environment.CurrentManagedThreadId;
#endif

    /// <summary>How many stripes this machine needs. More than 64 would only make sums and searches longer.</summary>
    public static int Count
    {
        get
        {
            int count = 1;
            while (count < Environment.ProcessorCount && count < 64)
            {
                count *= 2;
            }

            return count;
        }
    }
}

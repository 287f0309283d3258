using System.Numerics;

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
    public static int Count => 1 << BitOperations.Log2((2 * (uint)Math.Min(Environment.ProcessorCount, 64)) - 1);
}

namespace PixelPool;

/// <summary>
/// How much idle memory a pool gives back to the system, and how often: one of three policies, <see cref="Demand"/>, <see cref="Halving"/> and <see cref="None"/>;
/// applications cannot derive their own. Who wants another pace takes <see cref="None"/> and calls <see cref="PixelAllocator.Trim"/> or
/// <see cref="PixelAllocator.TrimTo"/> when it is time, such as on a timer. A policy is an immutable description: one instance may serve any
/// number of pools. Every policy but <see cref="None"/> gives everything back at once when memory is short
/// (<see cref="PixelAllocatorOptions.MemoryPressure"/>).
/// </summary>
public abstract class TrimPolicy
{
    private protected TrimPolicy()
    {
    }

    /// <summary>
    /// Keeps what the last half minute needed: every 5 seconds, the blocks that nobody used during the 30 seconds before go back to the
    /// system. A process that stops using images holds nothing 35 seconds later (at most 60, with slow timers); steady work never loses a
    /// block it cycles through. The default.
    /// </summary>
    public static TrimPolicy Demand { get; } = new Trimming.DemandTrimPolicy();

    /// <summary>Never gives anything back by itself, not even under memory pressure: only <c>Trim</c>, <c>Dispose</c>, and a system that is out of memory do.</summary>
    public static TrimPolicy None { get; } = new Trimming.NoTrimPolicy();

    /// <summary>Gives a fraction of the idle memory back in every period, whether it was used lately or not.</summary>
    /// <param name="period">Time between two trims: more than zero, at most 49 days.</param>
    /// <param name="rate">The fraction that goes, rounded up to whole blocks: more than 0, at most 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">A parameter is outside of its range.</exception>
    public static TrimPolicy Halving(TimeSpan period, double rate)
    {
        // A timer's longest time: uint.MaxValue - 1 milliseconds.
        if (period <= TimeSpan.Zero || period.TotalMilliseconds >= uint.MaxValue)
        {
            Throw.OutOfRange(nameof(period), period, "The period must be more than zero and at most 49 days.");
        }

        if (!(rate > 0 && rate <= 1))
        {
            Throw.OutOfRange(nameof(rate), rate, "The rate must be more than 0 and at most 1.");
        }

        return new Trimming.HalvingTrimPolicy(period, rate);
    }

    /// <summary>Time between two trims; null for a policy that never acts.</summary>
    internal abstract TimeSpan? Period { get; }

    /// <summary>Ends a period for one stripe of the pool. Called under the stripe's lock.</summary>
    /// <returns>Blocks, of <paramref name="idle"/> ones, to give back now.</returns>
    internal abstract int EndPeriod(ref Trimming.IdleHistory history, int idle);

    /// <summary>As <see cref="EndPeriod"/>, for runs of blocks.</summary>
    /// <param name="idle">Idle blocks in runs.</param>
    /// <param name="unused">Those of them that nobody used during all remembered periods.</param>
    internal abstract int DueInRuns(int idle, int unused);
}

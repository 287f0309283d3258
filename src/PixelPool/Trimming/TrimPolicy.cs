using PixelPool.Trimming;

namespace PixelPool;

/// <summary>
/// How much idle memory a pool gives back to the system, and how often. There are three policies: <see cref="Demand"/>, <see cref="Halving"/> and
/// <see cref="None"/>. Applications cannot derive their own. For any other timing, use <see cref="None"/> and call <see cref="PixelAllocator.Trim"/> or
/// <see cref="PixelAllocator.TrimTo"/>, for example on a timer. A policy is immutable; one instance may serve any number of pools. Every policy but
/// <see cref="None"/> gives all idle memory back at once when memory is short (<see cref="PixelAllocatorOptions.MemoryPressure"/>).
/// </summary>
public abstract class TrimPolicy
{
    private protected TrimPolicy()
    {
    }

    /// <summary>
    /// Keeps what the last 30 seconds needed. Every 5 seconds, the blocks that were not used during the 30 seconds before go back to the system. A process that
    /// stops using images holds no idle blocks 35 seconds later (at most 60, with slow timers). Steady work keeps every block that it reuses. The default.
    /// </summary>
    public static TrimPolicy Demand { get; } = new BuiltInTrimPolicy("Demand", TimeSpan.FromSeconds(5), static (_, unused) => unused);

    /// <summary>
    /// Never gives memory back on a timer, after a collection or under memory pressure. Idle memory still goes back when <c>Trim</c> or <c>Dispose</c> is called, when the
    /// system has no memory, and when a budget or a full pool needs its place.
    /// </summary>
    public static TrimPolicy None { get; } = new BuiltInTrimPolicy("None", period: null, static (_, _) => 0);

    /// <summary>Gives a fraction of the idle memory back in every period, whether or not it was used recently; but not what a thread keeps for its next rents and has rented from in the period.</summary>
    /// <param name="period">Time between two trims: more than zero, at most 49 days.</param>
    /// <param name="rate">The fraction to give back: more than 0, at most 1. It is rounded up to whole blocks for each processor.</param>
    /// <returns>The policy.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A parameter is outside of its range.</exception>
    public static TrimPolicy Halving(TimeSpan period, double rate)
    {
        if (!IsPeriod(period))
        {
            Throw.OutOfRange(nameof(period), period, "The period must be more than zero and at most 49 days.");
        }

        if (!IsRate(rate))
        {
            Throw.OutOfRange(nameof(rate), rate, "The rate must be more than 0 and at most 1.");
        }

        return new BuiltInTrimPolicy(FormattableString.Invariant($"Halving({period}, {rate})"), period, (idle, _) => (int)Math.Ceiling(idle * rate));
    }

    /// <summary>Whether a timer can have that period: its longest time is uint.MaxValue − 1 milliseconds.</summary>
    internal static bool IsPeriod(TimeSpan value) => value > TimeSpan.Zero && value.TotalMilliseconds < uint.MaxValue;

    internal static bool IsRate(double value) => value is > 0 and <= 1;

    /// <summary>Time between two trims; null for a policy that never acts.</summary>
    internal abstract TimeSpan? Period { get; }

    /// <summary>Says at the end of a period how much a stripe of the pool gives back. Called under the stripe's lock.</summary>
    /// <param name="idle">Blocks that are idle.</param>
    /// <param name="unused">Those of them that nobody used during all remembered periods.</param>
    /// <returns>Blocks, of the idle ones.</returns>
    internal abstract int Due(int idle, int unused);
}

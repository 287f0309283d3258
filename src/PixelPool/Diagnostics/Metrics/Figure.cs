namespace PixelPool.Diagnostics.Metrics;

/// <summary>A figure of the statistics, as meters tell it for each name of allocators.</summary>
/// <param name="Instrument">What it is called, behind <c>pixelpool.</c>: the parts of one instrument have the same name.</param>
/// <param name="Kind">What becomes of those of several allocators.</param>
/// <param name="Unit">The unit.</param>
/// <param name="Description">What it tells, in a sentence.</param>
/// <param name="Value">That of one allocator; null if it has none.</param>
/// <param name="Tag">Which part of the instrument it is, if that has parts.</param>
internal sealed record Figure(string Instrument, FigureKind Kind, string Unit, string Description, Func<PixelPoolStatistics, long?> Value, KeyValuePair<string, object?>? Tag = null)
{
    private const string Bytes = "By";
    private const string Rents = "Rents so far, by where their memory came from.";
    private const string Evicted = "Idle bytes given back to the system so far, by what caused it.";

    /// <summary>How many are measured.</summary>
    public const int Count = 24;

    /// <summary>All that are measured, or null before somebody has asked for <see cref="All"/>.</summary>
    public static Figure[]? Made { get; private set; }

    /// <summary>All that are measured. Made when they are asked for first, and not by an initializer: one that fails for lack of memory has failed for good.</summary>
    public static Figure[] All => Made ??= Make();

    /// <summary>That of two together.</summary>
    public long? Plus(long? left, long? right) =>
        left is null || right is null ? left ?? right
        : Kind == FigureKind.Longest ? Math.Max(left.Value, right.Value)
        : (long)Math.Min((decimal)left + (decimal)right, long.MaxValue); // The largest limit says that there is none: several of them are no more.

    /// <summary>What stays of an allocator that is gone.</summary>
    public long? AfterTheEnd(in PixelPoolStatistics final) => Kind == FigureKind.Counter || Value(final) is null ? Value(final) : 0;

    private static Figure[] Make() =>
    [
        new("idle", FigureKind.Level, Bytes, "Bytes that are idle in the pool and can be rented without the system.", static statistics => statistics.IdleBytes),
        new("rented", FigureKind.Level, Bytes, "Bytes that are rented now, whole blocks.", static statistics => statistics.RentedBytes),
        new("allocated", FigureKind.Counter, Bytes, "Bytes got from the system so far.", static statistics => statistics.AllocatedBytes),
        new("released", FigureKind.Counter, Bytes, "Bytes given back to the system so far.", static statistics => statistics.ReleasedBytes),
        new("evicted", FigureKind.Counter, Bytes, Evicted, static statistics => statistics.TrimmedByTimerBytes, Reason("timer")),
        new("evicted", FigureKind.Counter, Bytes, Evicted, static statistics => statistics.TrimmedByGen2Bytes, Reason("gen2")),
        new("evicted", FigureKind.Counter, Bytes, Evicted, static statistics => statistics.TrimmedByPressureBytes, Reason("pressure")),
        new("evicted", FigureKind.Counter, Bytes, Evicted, static statistics => statistics.TrimmedByRequestBytes, Reason("request")),
        new("evicted", FigureKind.Counter, Bytes, Evicted, static statistics => statistics.TrimmedByOutOfMemoryBytes, Reason("out_of_memory")),
        new("evicted", FigureKind.Counter, Bytes, Evicted, static statistics => statistics.TrimmedByBudgetBytes, Reason("budget")),

        new("rents", FigureKind.Counter, "{rent}", Rents, static statistics => statistics.Hits, Source("hit")),
        new("rents", FigureKind.Counter, "{rent}", Rents, static statistics => statistics.Misses, Source("miss")),
        new("rents", FigureKind.Counter, "{rent}", Rents, static statistics => statistics.SmallRents, Source("small")),
        new("rents", FigureKind.Counter, "{rent}", Rents, static statistics => statistics.UnpooledRents, Source("unpooled")),
        new("leaks", FigureKind.Counter, "{leak}", "Rents, external charges and reservations that nobody disposed: a finalizer returned them.", static statistics => statistics.LeakedCount),
        new("leaked", FigureKind.Counter, Bytes, "Bytes that nobody disposed: finalizers returned them.", static statistics => statistics.LeakedBytes),
        new("second_returns", FigureKind.Counter, "{return}", "Leases disposed twice, and native pixels released twice.", static statistics => statistics.SecondReturns),

        // Without a budget there is nothing to compare with: no measurement, instead of a limit of 0.
        new("budget", FigureKind.Level, Bytes, "The most bytes that may be rented, external or reserved at once.", static statistics => statistics.BudgetBytes),
        new("charged", FigureKind.Level, Bytes, "Bytes of the budget that are rented, external or reserved now.", static statistics => statistics.BudgetBytes is null ? null : statistics.ChargedBytes),
        new("external", FigureKind.Level, Bytes, "Bytes that others hold and that are charged now.", static statistics => statistics.ExternalBytes),
        new("waiting", FigureKind.Level, "{request}", "Requests that wait for budget now.", static statistics => statistics.WaitingRents),
        new("longest_wait", FigureKind.Longest, "s", "The longest time that a request has waited so far, of those that wait now.", static statistics => statistics.LongestWait.Ticks),
        new("long_waits", FigureKind.Counter, "{wait}", "Requests that have waited for budget longer than LongWaitThreshold.", static statistics => statistics.LongWaits),
        new("refusals", FigureKind.Counter, "{refusal}", "Requests that the budget refused.", static statistics => statistics.BudgetRefusals),
    ];

    private static KeyValuePair<string, object?> Reason(string reason) => new("pixelpool.reason", reason);

    private static KeyValuePair<string, object?> Source(string source) => new("pixelpool.source", source);
}

namespace PixelPool;

/// <summary>
/// What a pool or an allocator holds now, and what it did since it was created. All sizes are the bytes really held: whole blocks, or whole pieces of
/// blocks that small images share, not only pixels.
/// </summary>
/// <remarks>
/// In every result <see cref="RentedBytes"/> + <see cref="IdleBytes"/> = <see cref="AllocatedBytes"/> − <see cref="ReleasedBytes"/>. Small buffers
/// from an <see cref="System.Buffers.ArrayPool{T}"/> count as allocated when they are taken from it, and as released when they go back to it. What that pool
/// keeps idle is not known here. A few arrays stay with the thread that returned them: they are idle here, and go back to their pool when idle memory is trimmed.
/// </remarks>
public readonly record struct PixelPoolStatistics
{
    /// <summary>Bytes rented now. Of blocks that small images share (<see cref="SmallBufferStrategy.Slab"/>) these are the pieces that are rented.</summary>
    public long RentedBytes { get; init; }

    /// <summary>
    /// Bytes that are idle now, in the pool and in the caches of threads. They can be rented without the system, or trimmed. The unused part of a block that small images share is idle, too.
    /// Images of the same size can use it. It is returned to the system together with its block, after the last image in the block was returned.
    /// </summary>
    public long IdleBytes { get; init; }

    /// <summary>Bytes got from the system so far.</summary>
    public long AllocatedBytes { get; init; }

    /// <summary>Bytes given back to the system so far.</summary>
    public long ReleasedBytes { get; init; }

    /// <summary>The most bytes that were held at once, rented and idle together. Exact. Memory that is being returned to the system does not count.</summary>
    public long PeakHeldBytes { get; init; }

    /// <summary>Rents so far, of every tier.</summary>
    public long Rents => Hits + Misses + SmallRents + UnpooledRents;

    /// <summary>Rents of pooled blocks that needed nothing from the system.</summary>
    public long Hits { get; init; }

    /// <summary>Rents of pooled blocks that needed at least one new block from the system.</summary>
    public long Misses { get; init; }

    /// <summary>
    /// Contiguous rents, among the hits and misses, for which no idle memory had the right size: idle blocks were put together, and moved side by side where they lay apart. Many of them mean
    /// that contiguous images of different sizes alternate.
    /// </summary>
    public long AssembledRents { get; init; }

    /// <summary>Rents served by the small tier: an ArrayPool or slabs.</summary>
    public long SmallRents { get; init; }

    /// <summary>Rents over the pool's capacity. Their memory came from the system and goes back to it.</summary>
    public long UnpooledRents { get; init; }

    /// <summary>
    /// Bytes of fresh memory that had actually been touched when that memory was first returned. 0 where the system does not report this. Linux 6.7 and later
    /// reports it, but not to the build for .NET Standard 2.0.
    /// </summary>
    public long TouchedBytes { get; init; }

    /// <summary>The part of <see cref="TouchedBytes"/>, in bytes, that the system had put into huge pages.</summary>
    public long HugePageBytes { get; init; }

    /// <summary>
    /// The share of touched memory that is in huge pages, from 0 to 1. If it is far below 1, huge pages are off or the machine has no free ones left, and
    /// touching fresh memory takes many times longer.
    /// </summary>
    public double HugePageShare => TouchedBytes == 0 ? 0 : (double)HugePageBytes / TouchedBytes;

    /// <summary>Number of rents, external charges and reservations that were forgotten: nobody disposed them, and a finalizer returned them.</summary>
    public long LeakedCount { get; init; }

    /// <summary>Bytes that finalizers returned. A reservation holds none by itself.</summary>
    public long LeakedBytes { get; init; }

    /// <summary>
    /// How often a lease was disposed again, or native code released pixels again (<see cref="NativePixels"/>). Such a second return does nothing to the
    /// memory. It is a mistake of the application. The event source "PixelPool" and <see cref="Diagnostics.LeakTracker"/> report where it was made.
    /// </summary>
    public long SecondReturns { get; init; }

    /// <summary>The budget in bytes (<see cref="PixelAllocatorOptions.MaxRentedBytes"/>). Null when there is none.</summary>
    public long? BudgetBytes { get; init; }

    /// <summary>Bytes of the budget that are in use: rented, external, or reserved by scopes. 0 when there is no budget.</summary>
    public long ChargedBytes { get; init; }

    /// <summary>
    /// Bytes of memory of other code that are charged now: by <see cref="PixelAllocator.ChargeExternal"/>, and by images of <c>Wrap</c> that are charged. They
    /// do not count as rented.
    /// </summary>
    public long ExternalBytes { get; init; }

    /// <summary>Requests that are waiting for budget now.</summary>
    public long WaitingRents { get; init; }

    /// <summary>How long the longest-waiting request has waited so far. Zero if none waits.</summary>
    public TimeSpan LongestWait { get; init; }

    /// <summary>
    /// Requests that have waited for budget longer than <see cref="PixelAllocatorOptions.LongWaitThreshold"/> so far. Unlike <see cref="Waits"/>, this includes
    /// requests that still wait.
    /// </summary>
    public long LongWaits { get; init; }

    /// <summary>Waits for budget that have ended so far, whatever their outcome. Requests that still wait are not included.</summary>
    public long Waits { get; init; }

    /// <summary>The time that requests spent waiting for budget so far.</summary>
    public TimeSpan WaitTime { get; init; }

    /// <summary>Requests that the budget refused so far: <c>TryRent</c> returned false, or an exception was thrown, at once or after waiting.</summary>
    public long BudgetRefusals { get; init; }

    /// <summary>Idle bytes given back to the system so far, for any reason but disposal.</summary>
    public long TrimmedBytes =>
        TrimmedByTimerBytes + TrimmedByGen2Bytes + TrimmedByPressureBytes + TrimmedByRequestBytes + TrimmedByOutOfMemoryBytes + TrimmedByBudgetBytes;

    /// <summary>Bytes that the policy gave back on its timer.</summary>
    public long TrimmedByTimerBytes { get; init; }

    /// <summary>Bytes that the policy gave back after a collection of generation 2.</summary>
    public long TrimmedByGen2Bytes { get; init; }

    /// <summary>Bytes given back because memory was short in the container or the machine.</summary>
    public long TrimmedByPressureBytes { get; init; }

    /// <summary>Bytes given back by <c>Trim</c> and <c>TrimTo</c>.</summary>
    public long TrimmedByRequestBytes { get; init; }

    /// <summary>Bytes given back because the system had no memory for a request in this process.</summary>
    public long TrimmedByOutOfMemoryBytes { get; init; }

    /// <summary>Bytes given back so that rented and idle memory together stay within the budget.</summary>
    public long TrimmedByBudgetBytes { get; init; }

    /// <summary>The most important figures, in readable sizes.</summary>
    public override string ToString() =>
        $"{ByteSize.Format(RentedBytes)} rented, {ByteSize.Format(IdleBytes)} idle{(ExternalBytes == 0 ? string.Empty : $", {ByteSize.Format(ExternalBytes)} external")} (peak {ByteSize.Format(PeakHeldBytes)}); "
        + (BudgetBytes is { } budget ? $"{ByteSize.Format(ChargedBytes)} of {ByteSize.Format(budget)} charged, {WaitingRents} waiting{(LongestWait == TimeSpan.Zero ? string.Empty : FormattableString.Invariant($" for up to {LongestWait.TotalSeconds:0.###} s"))}; " : string.Empty)
        + $"{Plural.Of(Rents, "rent")}: {Plural.Of(Hits, "hit")}, {Plural.Of(Misses, "miss", "misses")}, {SmallRents} small, {UnpooledRents} unpooled; "
        + $"{ByteSize.Format(TrimmedBytes)} trimmed; {LeakedCount} leaked ({ByteSize.Format(LeakedBytes)})"
        + (SecondReturns == 0 ? string.Empty : $", {SecondReturns} disposed twice");
}

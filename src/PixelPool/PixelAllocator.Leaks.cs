using PixelPool.Diagnostics;

namespace PixelPool;

/// <content>Who holds memory, and who forgot it.</content>
public sealed partial class PixelAllocator
{
    /// <summary>
    /// Raised for every rent, external charge (<see cref="ChargeExternal"/>) and reservation (<see cref="ReserveScope"/>) that was forgotten, after its memory is
    /// back: with its size, and with its age and place where they were recorded (<see cref="PixelAllocatorOptions.LeakTracking"/>).
    /// </summary>
    /// <remarks>
    /// Handlers are called on a thread of the thread pool, one leak after the other. While one blocks, at most 1,024 leaks wait for it; the statistics
    /// count all of them. What a handler throws is told by the event source "PixelPool" and disturbs nobody else. Handlers are held by the allocator, and by
    /// everything that is rented from it.
    /// </remarks>
    public event EventHandler<LeakedEventArgs>? Leaked;

    /// <summary>
    /// What is held of the allocator and its budget now: rents, external charges and reservations, of each its size, and its age and place where they were
    /// recorded (<see cref="PixelAllocatorOptions.LeakTracking"/>). Those whose age is known come first, the oldest of them first; then the others, the largest
    /// first.
    /// </summary>
    /// <returns>A copy, which keeps no memory alive. A rent that begins or ends meanwhile is in it, or not.</returns>
    /// <remarks>Costs about a hundred nanoseconds per rent that is or was held at once.</remarks>
    public IReadOnlyList<RentRecord> GetOutstandingRents() => _tracking.ListOutstanding();

    /// <summary>Starts to record every rent, for a test that asks afterwards whether all of them were given back.</summary>
    /// <returns>Knows the rents that are made from now on; to be disposed.</returns>
    public LeakTracker TrackLeaks() => new(_tracking);
}

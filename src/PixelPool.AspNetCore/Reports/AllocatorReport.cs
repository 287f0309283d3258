namespace PixelPool.AspNetCore.Reports;

/// <summary>What there is to say about one allocator.</summary>
/// <param name="Name">Its name in reports.</param>
/// <param name="Statistics">What it holds, and what it did so far.</param>
/// <param name="Waiting">Who waits for budget, those that have waited longest first: at most <see cref="MaxListed"/>.</param>
/// <param name="HeldCount">Rents, external charges and reservations that are held.</param>
/// <param name="Held">The same by the line that rented them, those that hold most first: at most <see cref="MaxListed"/>.</param>
/// <param name="PlaceCount">How many there would be without that limit.</param>
/// <param name="History">Samples, the oldest first.</param>
internal sealed record AllocatorReport(
    string Name,
    PixelPoolStatistics Statistics,
    IReadOnlyList<WaitReport> Waiting,
    int HeldCount,
    IReadOnlyList<RentGroup> Held,
    int PlaceCount,
    IReadOnlyList<SampleReport> History)
{
    public const int MaxListed = 100;
}

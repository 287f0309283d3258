using PixelPool.Diagnostics;

namespace PixelPool.AspNetCore.Reports;

/// <summary>What one line of code holds for one purpose.</summary>
/// <param name="Place">The line that rented it. Null where that was not recorded.</param>
/// <param name="Tag">What it is for. Null without a tag.</param>
/// <param name="Kind">What is held.</param>
/// <param name="Holder">Whether what was rented holds it, or a view or a pin of that.</param>
/// <param name="HolderPlace">The line that made the view or the pin. Null where that was not recorded, or where there is none.</param>
/// <param name="Count">How many.</param>
/// <param name="Bytes">What they hold together.</param>
/// <param name="OldestSeconds">For how long the oldest has been held. Null where no age was recorded.</param>
/// <param name="NewestSeconds">For how long the newest has been held. Null where no age was recorded.</param>
internal sealed record RentGroup(
    string? Place, string? Tag, RentKind Kind, RentHolder Holder, string? HolderPlace, int Count, long Bytes, double? OldestSeconds, double? NewestSeconds)
{
    /// <summary>The groups of some rents, those that hold most first.</summary>
    public static IEnumerable<RentGroup> Of(IEnumerable<RentRecord> rents) => rents
        .GroupBy(static rent => (rent.Place, rent.Tag, rent.Kind, rent.Holder, rent.HolderPlace))
        .Select(static group => new RentGroup(
            group.Key.Place,
            group.Key.Tag,
            group.Key.Kind,
            group.Key.Holder,
            group.Key.HolderPlace,
            group.Count(),
            (long)Math.Min(group.Sum(static rent => (decimal)rent.Bytes), long.MaxValue),
            group.Max(static rent => rent.Age?.TotalSeconds),
            group.Min(static rent => rent.Age?.TotalSeconds)))
        .OrderByDescending(static group => group.Bytes)
        .ThenByDescending(static group => group.OldestSeconds);
}

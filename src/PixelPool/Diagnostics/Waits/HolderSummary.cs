namespace PixelPool.Diagnostics;

/// <summary>Says in a sentence who holds most: what was rented at one place is one holder.</summary>
internal static class HolderSummary
{
    /// <param name="held">What is held. What was reserved counts once, whether it is used or not.</param>
    /// <param name="most">How many places are named.</param>
    public static string Describe(IReadOnlyList<RentRecord> held, int most)
    {
        string[] holders =
        [
            .. held.Where(static rent => !rent.IsReservedPart)
                .GroupBy(static rent => (rent.Place, rent.Tag))
                .Select(static place => (Place: place.Key, Bytes: place.SumBytes(), Count: place.Count()))
                .OrderByDescending(static holder => holder.Bytes)
                .Take(most)
                .Select(static holder => $"at {holder.Place.Place ?? "places that were not recorded"}: {ByteSize.Format(holder.Bytes)} in {Plural.Of(holder.Count, "rent")}{Name(holder.Place.Tag)}"),
        ];
        return holders.Length == 0 ? "Nothing is held." : $"Most is held {string.Join("; ", holders)}.";

        static string Name(string? tag) => tag is null ? string.Empty : $" of \"{tag}\"";
    }
}

namespace PixelPool.Diagnostics;

/// <summary>What records of rents say together.</summary>
internal static class RentRecords
{
    /// <summary>Their bytes. Reservations without a budget around them may be more than a <see cref="long"/> counts: then it is the largest.</summary>
    public static long SumBytes(this IEnumerable<RentRecord> rents) => (long)Math.Min(rents.Sum(static rent => (decimal)rent.Bytes), long.MaxValue);

    /// <summary>Says in a sentence who holds most: what was rented at one place is one holder.</summary>
    /// <param name="held">What is held, each byte once.</param>
    /// <param name="most">How many places are named.</param>
    public static string DescribeHolders(this IEnumerable<RentRecord> held, int most)
    {
        string[] holders =
        [
            .. held
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

namespace PixelPool.Diagnostics;

/// <summary>What records of rents say together.</summary>
internal static class RentRecords
{
    /// <summary>Their bytes. Reservations without a budget around them may be more than a <see cref="long"/> counts: then it is the largest.</summary>
    public static long SumBytes(this IEnumerable<RentRecord> rents) => (long)Math.Min(rents.Sum(static rent => (decimal)rent.Bytes), long.MaxValue);
}

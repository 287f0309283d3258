namespace PixelPool.Accounts;

/// <summary>
/// What a stripe counted, in bytes and rents. Only sums over all stripes mean anything: a rent is counted where it happened, its return where
/// that happened.
/// </summary>
internal struct StripeCounters
{
    public long Hits;
    public long Misses;
    public long Assembled;
    public long SmallRents;
    public long UnpooledRents;
    public long RentedBytes;

    // How often something that was charged and idle was used, beside small rents, and hits of what threads keep.
    public long ChargedUses;

    public void Add(in StripeCounters other)
    {
        Hits += other.Hits;
        Misses += other.Misses;
        Assembled += other.Assembled;
        SmallRents += other.SmallRents;
        UnpooledRents += other.UnpooledRents;
        RentedBytes += other.RentedBytes;
        ChargedUses += other.ChargedUses;
    }
}

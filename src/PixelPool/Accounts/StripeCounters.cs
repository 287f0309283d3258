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
    public long AllocatedBytes;
    public long ReleasedBytes;

    /// <summary>
    /// Idle, and in no stripe: what nobody rents of blocks that are cut into pieces, and what is on the way to another place, to a rent, or to the system.
    /// </summary>
    public long MovingBytes;

    /// <summary>A rent begins.</summary>
    /// <param name="bytes">What it holds.</param>
    /// <param name="wereIdle">Whether that was a piece of a block; otherwise it was got for the rent.</param>
    public void Rent(long bytes, bool wereIdle)
    {
        RentedBytes += bytes;
        if (wereIdle)
        {
            MovingBytes -= bytes;
        }
        else
        {
            AllocatedBytes += bytes;
        }
    }

    /// <summary>What counted as rented goes back where it came from.</summary>
    /// <param name="bytes">How much that is.</param>
    /// <param name="areIdle">Whether it is a piece of a block; otherwise it is not held any more.</param>
    public void Release(long bytes, bool areIdle)
    {
        RentedBytes -= bytes;
        if (areIdle)
        {
            MovingBytes += bytes;
        }
        else
        {
            ReleasedBytes += bytes;
        }
    }

    public void Add(in StripeCounters other)
    {
        Hits += other.Hits;
        Misses += other.Misses;
        Assembled += other.Assembled;
        SmallRents += other.SmallRents;
        UnpooledRents += other.UnpooledRents;
        RentedBytes += other.RentedBytes;
        AllocatedBytes += other.AllocatedBytes;
        ReleasedBytes += other.ReleasedBytes;
        MovingBytes += other.MovingBytes;
    }
}

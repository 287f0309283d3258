namespace PixelPool.Stress.Bursts;

/// <summary>How it went for one contender.</summary>
/// <param name="PeakResident">As the kernel remembers it, in bytes.</param>
/// <param name="P50">Of returning an image, renting another and touching it, in nanoseconds.</param>
internal sealed record BurstResult(
    IReadOnlyList<BurstSample> Samples, IReadOnlyList<BurstRound> Rounds, long Rents, long PeakResident, double P50, double P99)
{
    public double RentsPerSecond => Rents / Rounds.Sum(round => round.Returned - round.Start);

    /// <summary>The kernel's count when a pause was over.</summary>
    public long ResidentAfter(BurstRound round) => Samples.Last(sample => sample.Seconds <= round.End).Resident;

    /// <summary>How long after a burst less than a quarter of the peak was left; null when the pause was over before.</summary>
    public double? SecondsToQuarter(BurstRound round)
    {
        foreach (BurstSample sample in Samples)
        {
            if (sample.Seconds >= round.Returned && sample.Seconds <= round.End && sample.Resident < PeakResident / 4)
            {
                return sample.Seconds - round.Returned;
            }
        }

        return null;
    }
}

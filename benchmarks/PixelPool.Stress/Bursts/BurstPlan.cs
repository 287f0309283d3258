namespace PixelPool.Stress.Bursts;

/// <summary>What every contender has to go through.</summary>
/// <param name="Images">How many images each worker holds at a time.</param>
/// <param name="Seed">Of the sizes: every contender gets the same ones.</param>
internal sealed record BurstPlan(double Seconds, double BurstSeconds, double PauseSeconds, int Workers, int Images, int Seed)
{
    public const int SmallestMebibytes = 1;

    public const int LargestMebibytes = 64;

    /// <summary>Whole rounds of burst and pause in the time there is, at least one.</summary>
    public int Rounds => Math.Max(1, (int)Math.Round(Seconds / (BurstSeconds + PauseSeconds)));
}

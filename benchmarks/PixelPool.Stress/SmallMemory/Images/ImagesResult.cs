namespace PixelPool.Stress.SmallMemory.Images;

/// <summary>How one contender did with a number of threads.</summary>
internal sealed record ImagesResult(SmallContender Contender, int Threads, ImagesFigures Figures)
{
    /// <summary>Of all threads together.</summary>
    public double ImagesPerSecond => (double)Threads * ImagesPlan.ImagesPerRound / Figures.RoundSeconds;
}

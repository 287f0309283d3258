namespace PixelPool.Stress.SmallBursts;

/// <summary>Where small pieces come from.</summary>
internal abstract class SmallMemory : IDisposable
{
    /// <summary>Pieces for one thread.</summary>
    /// <param name="random">For their sizes.</param>
    public abstract ISmallPieces CreatePieces(Random random);

    /// <summary>Gives back what it can, after everything was returned.</summary>
    /// <returns>Whether the statistics say that nothing is left.</returns>
    public virtual bool Trim() => true;

    /// <inheritdoc/>
    public virtual void Dispose()
    {
    }

    /// <summary>From 64 bytes to 2 MiB, as many of 1 to 2 KiB as of 1 to 2 MiB.</summary>
    protected static int MixedSize(Random random) => (int)(64 * Math.Pow(2, 15 * random.NextDouble()));

    protected static bool IsNothingLeft(PixelPoolStatistics statistics) =>
        statistics.RentedBytes == 0 && statistics.IdleBytes == 0 && statistics.AllocatedBytes == statistics.ReleasedBytes;
}

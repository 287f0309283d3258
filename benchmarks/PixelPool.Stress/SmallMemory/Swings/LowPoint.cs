namespace PixelPool.Stress.SmallMemory.Swings;

/// <summary>Memory when live memory has fallen to a tenth of its peak, and idle memory was given back.</summary>
/// <param name="LiveBytes">Bytes asked for and not returned.</param>
/// <param name="ResidentBytes">Resident memory above that of the process before its first rent.</param>
internal sealed record LowPoint(long LiveBytes, long ResidentBytes)
{
    public double Ratio => (double)ResidentBytes / LiveBytes;
}

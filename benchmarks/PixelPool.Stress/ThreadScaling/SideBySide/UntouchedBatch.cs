namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>Many rents and returns, one after the other, so that the call counts for nothing.</summary>
internal abstract class UntouchedBatch
{
    public const int Rents = 256;

    public abstract void Run();
}

namespace PixelPool.Trimming;

/// <summary>A sliding high-water mark of use, read from its other side: the low-water mark of what stayed idle.</summary>
internal sealed class DemandTrimPolicy : TrimPolicy
{
    internal override TimeSpan? Period { get; } = TimeSpan.FromSeconds(5);

    internal override int Due(int idle, int unused) => unused;

    /// <inheritdoc/>
    public override string ToString() => "Demand";
}

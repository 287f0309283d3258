namespace PixelPool.Trimming;

/// <summary>A sliding high-water mark of use, read from its other side: the low-water mark of what stayed idle.</summary>
internal sealed class DemandTrimPolicy : TrimPolicy
{
    internal override TimeSpan? Period { get; } = TimeSpan.FromSeconds(5);

    internal override int EndPeriod(ref IdleHistory history, int idle) => history.EndPeriod(idle);

    internal override int DueInRuns(int idle, int unused) => unused;

    /// <inheritdoc/>
    public override string ToString() => "Demand";
}

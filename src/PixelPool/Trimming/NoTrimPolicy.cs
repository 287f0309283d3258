namespace PixelPool.Trimming;

/// <summary>Leaves all trimming to the application.</summary>
internal sealed class NoTrimPolicy : TrimPolicy
{
    internal override TimeSpan? Period => null;

    internal override int Due(int idle, int unused) => 0;

    /// <inheritdoc/>
    public override string ToString() => "None";
}

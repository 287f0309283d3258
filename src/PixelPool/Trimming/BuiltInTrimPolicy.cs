namespace PixelPool.Trimming;

/// <summary>One of the policies there are.</summary>
/// <param name="text">How text calls it.</param>
/// <param name="period">Time between two trims; null when it never acts.</param>
/// <param name="due">How many of the idle blocks go at the end of a period. Its second parameter: how many of them nobody used.</param>
internal sealed class BuiltInTrimPolicy(string text, TimeSpan? period, Func<int, int, int> due) : TrimPolicy
{
    internal override TimeSpan? Period => period;

    internal override int Due(int idle, int unused) => due(idle, unused);

    /// <inheritdoc/>
    public override string ToString() => text;
}

using PixelPool.Diagnostics.Charts;

namespace PixelPool.Diagnostics;

/// <summary>What a <see cref="MemoryRecorder"/> saw: memory over time. It does not change; all members are thread-safe.</summary>
public sealed class MemoryRecording
{
    private readonly MemoryTimeline _timeline;

    internal MemoryRecording(string? allocatorName, IReadOnlyList<MemorySample> samples, IReadOnlyList<MemoryMoment> moments) =>
        _timeline = new MemoryTimeline(allocatorName, samples, moments);

    /// <summary>The name of the allocator in reports (<see cref="PixelAllocatorOptions.Name"/>). Null when no allocator was recorded.</summary>
    public string? AllocatorName => _timeline.AllocatorName;

    /// <summary>The samples in the order of time. Of a long recording they are not evenly spaced: those with the most memory were kept.</summary>
    public IReadOnlyList<MemorySample> Samples => _timeline.Samples;

    /// <summary>The named moments in the order of time.</summary>
    public IReadOnlyList<MemoryMoment> Moments => _timeline.Moments;

    /// <summary>Time from the first sample to the last.</summary>
    public TimeSpan Duration => _timeline.Duration;

    /// <summary>
    /// Writes a header and a line for each sample: comma-separated, lines end in a line feed, numbers do not depend on the culture. The columns of the
    /// allocator are empty when none was recorded.
    /// </summary>
    /// <param name="writer">The target, which is not disposed.</param>
    /// <exception cref="ArgumentNullException"><paramref name="writer"/> is null.</exception>
    public void WriteCsv(TextWriter writer) =>
        new RecordingCsv(_timeline).Write(writer ?? throw new ArgumentNullException(nameof(writer)));

    /// <summary>
    /// Writes a drawing in SVG: rented, idle and resident memory over time, the budget, the named moments, and marks where memory was trimmed, requests
    /// waited, or leaks were found. The file needs nothing else, runs no script, and suits light and dark pages. Pointing at a mark says more about it.
    /// </summary>
    /// <param name="writer">The target, which is not disposed. The text is plain ASCII.</param>
    /// <param name="title">The heading. Default: null, which is a heading with the name of the allocator.</param>
    /// <param name="subtitle">The line below the heading. Default: null, which is the most important figures.</param>
    /// <exception cref="ArgumentNullException"><paramref name="writer"/> is null.</exception>
    public void WriteSvg(TextWriter writer, string? title = null, string? subtitle = null) =>
        MemoryChart.Draw(_timeline, writer ?? throw new ArgumentNullException(nameof(writer)), title, subtitle);

    /// <summary>The drawing of <see cref="WriteSvg"/> as a string.</summary>
    /// <param name="title">The heading. Default: null, which is a heading with the name of the allocator.</param>
    /// <param name="subtitle">The line below the heading. Default: null, which is the most important figures.</param>
    /// <returns>The text of an SVG file.</returns>
    public string ToSvg(string? title = null, string? subtitle = null)
    {
        using var writer = new StringWriter(System.Globalization.CultureInfo.InvariantCulture);
        WriteSvg(writer, title, subtitle);
        return writer.ToString();
    }

    /// <summary>The most important figures, in readable sizes.</summary>
    public override string ToString() => new RecordingSummary(_timeline).Text;
}

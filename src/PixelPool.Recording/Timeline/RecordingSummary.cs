using PixelPool.Diagnostics.Text;

namespace PixelPool.Diagnostics;

/// <summary>A recording in a sentence.</summary>
internal sealed class RecordingSummary
{
    public RecordingSummary(MemoryTimeline timeline)
    {
        IReadOnlyList<MemorySample> samples = timeline.Samples;
        if (samples.Count == 0)
        {
            Text = "Nothing was recorded.";
            return;
        }

        MemorySample first = samples[0];
        MemorySample last = samples[samples.Count - 1];
        var parts = new List<string>
        {
            HumanTime.Format(timeline.Duration),
            $"resident up to {ByteSize.FormatRounded(samples.Max(static sample => sample.ResidentBytes))}, {ByteSize.FormatRounded(last.ResidentBytes)} at the end",
        };
        if (timeline.HasPool)
        {
            parts.Add($"rented up to {ByteSize.FormatRounded(samples.Max(static sample => sample.Pool.RentedBytes))}");
        }

        AddIfAny(last.Pool.TrimmedBytes - first.Pool.TrimmedBytes, static bytes => $"{ByteSize.FormatRounded(bytes)} given back");
        AddIfAny(last.BegunWaits - first.BegunWaits, static count => Plural.Of(count, "wait"));
        AddIfAny(last.Pool.LeakedCount - first.Pool.LeakedCount, static count => Plural.Of(count, "leak"));
        Text = string.Join("; ", parts);

        void AddIfAny(long amount, Func<long, string> text)
        {
            if (amount > 0)
            {
                parts.Add(text(amount));
            }
        }
    }

    public string Text { get; }
}

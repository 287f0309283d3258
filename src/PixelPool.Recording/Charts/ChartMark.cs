using PixelPool.Diagnostics.Drawing;
using PixelPool.Diagnostics.Text;

namespace PixelPool.Diagnostics.Charts;

/// <summary>Something that happened between two samples. Marks of a kind that would cover each other are one.</summary>
/// <param name="Kind">What happened.</param>
/// <param name="Before">The last sample before it.</param>
/// <param name="First">The first sample that shows it.</param>
/// <param name="Last">The last sample that shows more of it.</param>
internal readonly record struct ChartMark(MarkKind Kind, MemorySample Before, MemorySample First, MemorySample Last)
{
    /// <summary>Marks nearer than this, in pixels, would cover each other.</summary>
    private const double MinDistance = 14;

    /// <summary>All marks of a kind, in the order of time.</summary>
    public static List<ChartMark> Find(MarkKind kind, IReadOnlyList<MemorySample> samples, Axis time)
    {
        var marks = new List<ChartMark>();
        for (int i = 1; i < samples.Count; i++)
        {
            (MemorySample before, MemorySample sample) = (samples[i - 1], samples[i]);
            if (!Shows(kind, before, sample))
            {
                continue;
            }

            // A wait is as long as it takes; the others have a place.
            bool goesOn = kind == MarkKind.Wait && before.Pool.WaitingRents > 0;
            if (marks.Count > 0 && marks[marks.Count - 1] is var mark
                && (goesOn || Position(sample) - Position(kind == MarkKind.Wait ? mark.Last : mark.First) < MinDistance))
            {
                marks[marks.Count - 1] = mark with { Last = sample };
            }
            else
            {
                marks.Add(new ChartMark(kind, before, sample, sample));
            }
        }

        return marks;

        double Position(in MemorySample sample) => time.At(sample.Elapsed.TotalSeconds);
    }

    /// <summary>What pointing at it says.</summary>
    public override string ToString() => $"{HumanTime.Format(First.Elapsed)}: " + Kind switch
    {
        MarkKind.Trim => $"{ByteSize.FormatRounded(Last.Pool.TrimmedBytes - Before.Pool.TrimmedBytes)} given back to the system ({Reasons()})",
        MarkKind.Wait => $"{Plural.Of(Waiting(), "request")} waited for budget",
        _ => $"{Plural.Of(Last.Pool.LeakedCount - Before.Pool.LeakedCount, "leak")}, "
            + $"{ByteSize.FormatRounded(Last.Pool.LeakedBytes - Before.Pool.LeakedBytes)} brought back by finalizers",
    };

    private static bool Shows(MarkKind kind, in MemorySample before, in MemorySample sample) => kind switch
    {
        MarkKind.Trim => sample.Pool.TrimmedBytes > before.Pool.TrimmedBytes,
        MarkKind.Wait => sample.BegunWaits > before.BegunWaits || sample.Pool.WaitingRents > 0,
        _ => sample.Pool.LeakedCount > before.Pool.LeakedCount,
    };

    // Those that waited already when the recording started have begun before it.
    private long Waiting() => Math.Max(Last.BegunWaits - Before.BegunWaits, First.Pool.WaitingRents);

    private string Reasons()
    {
        (PixelPoolStatistics before, PixelPoolStatistics after) = (Before.Pool, Last.Pool);
        (string Name, long Bytes)[] reasons =
        [
            ("timer", after.TrimmedByTimerBytes - before.TrimmedByTimerBytes),
            ("collection", after.TrimmedByGen2Bytes - before.TrimmedByGen2Bytes),
            ("memory pressure", after.TrimmedByPressureBytes - before.TrimmedByPressureBytes),
            ("request", after.TrimmedByRequestBytes - before.TrimmedByRequestBytes),
            ("out of memory", after.TrimmedByOutOfMemoryBytes - before.TrimmedByOutOfMemoryBytes),
            ("budget", after.TrimmedByBudgetBytes - before.TrimmedByBudgetBytes),
        ];
        return string.Join(", ", reasons.Where(static reason => reason.Bytes > 0).Select(static reason => reason.Name));
    }
}

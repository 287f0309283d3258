namespace LoadResizeSave.Reporting.Chart;

/// <summary>Memory that went back to the system, at a place along the time axis.</summary>
internal readonly record struct TrimMark(double X, long Bytes)
{
    /// <summary>Marks nearer than this would cover each other.</summary>
    private const double MinDistance = 14;

    public static IReadOnlyList<TrimMark> Find(IReadOnlyList<MemorySample> samples, Axis seconds)
    {
        var marks = new List<TrimMark>();
        for (int i = 1; i < samples.Count; i++)
        {
            long bytes = samples[i].Trimmed - samples[i - 1].Trimmed;
            if (bytes <= 0)
            {
                continue;
            }

            double x = seconds.At(samples[i].At.TotalSeconds);
            if (marks.Count > 0 && x - marks[^1].X < MinDistance)
            {
                marks[^1] = marks[^1] with { Bytes = marks[^1].Bytes + bytes };
            }
            else
            {
                marks.Add(new TrimMark(x, bytes));
            }
        }

        return marks;
    }
}

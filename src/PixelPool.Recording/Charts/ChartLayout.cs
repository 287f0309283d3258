using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Diagnostics.Charts;

/// <summary>Where everything stands: the heading, the legend, the lanes of moments and marks, and the chart below them. All in pixels.</summary>
internal sealed class ChartLayout
{
    public const int Width = 960;
    public const int Left = 78;
    public const int Right = Width - 82;
    public const int HeadingY = 44;
    public const int SubtitleY = 68;
    public const int LegendY = 102;

    private const int LaneHeight = 17;
    private const int ChartHeight = 300;
    private const int FirstNoteDistance = 48;

    /// <summary>A budget so far above everything else that the rest would be flat with it is not drawn.</summary>
    private const int MaxBudgetShare = 3;

    public ChartLayout(MemoryTimeline timeline)
    {
        Time = LinearAxis.ForTime(timeline.Duration, Left, Right);
        Marks = [.. new[] { MarkKind.Trim, MarkKind.Wait, MarkKind.Leak }
            .Select(kind => ChartMark.Find(kind, timeline.Samples, Time))
            .Where(static marks => marks.Count > 0)];
        Moments = MomentLabel.Place(timeline.Moments, Time, Left, Right + 60);

        long highest = timeline.Samples.Max(static sample => Math.Max(sample.ResidentBytes, sample.HeldBytes));
        Budget = timeline.Samples[timeline.Samples.Count - 1].Pool.BudgetBytes;
        ShowsBudget = Budget / MaxBudgetShare <= highest;

        Legend = MemoryLegend.Create(timeline.HasPool, Budget, ShowsBudget, Marks.Select(static marks => marks[0].Kind), Left, Right + 70);
        FirstMomentY = LegendY + (Legend.Rows * Legend.RowHeight) + 2;
        int momentLanes = Moments.Count == 0 ? 0 : Moments.Max(static label => label.Lane) + 1;
        FirstMarkY = FirstMomentY + (momentLanes * LaneHeight);
        Top = FirstMarkY + (Marks.Count * LaneHeight);
        Bottom = Top + ChartHeight;
        Notes = FindNotes(timeline);
        Height = NoteY(Notes.Count - 1) + 18;
        Bytes = LinearAxis.ForBytes(ShowsBudget ? Math.Max(highest, Budget!.Value) : highest, Bottom, Top);
    }

    public Axis Time { get; }

    public Axis Bytes { get; }

    public IReadOnlyList<MomentLabel> Moments { get; }

    /// <summary>A lane for each kind that there is.</summary>
    public IReadOnlyList<IReadOnlyList<ChartMark>> Marks { get; }

    public long? Budget { get; }

    public bool ShowsBudget { get; }

    public Legend Legend { get; }

    /// <summary>The baseline of the first lane of names.</summary>
    public int FirstMomentY { get; }

    /// <summary>The middle of the first lane of marks.</summary>
    public int FirstMarkY { get; }

    public int Top { get; }

    public int Bottom { get; }

    public int Height { get; }

    /// <summary>What has to be known to read the chart: a line each.</summary>
    public IReadOnlyList<string> Notes { get; }

    public int MomentY(int lane) => FirstMomentY + (lane * LaneHeight);

    public int MarkY(int lane) => FirstMarkY + (lane * LaneHeight);

    public int NoteY(int row) => Bottom + FirstNoteDistance + (row * LaneHeight);

    private static List<string> FindNotes(MemoryTimeline timeline)
    {
        if (!timeline.HasPool)
        {
            return ["The line is the whole process: the runtime, code, the managed heap, native memory."];
        }

        List<string> notes = ["Between the areas and the line lies the rest of the process: the runtime, code, the managed heap, other native memory."];
        if (timeline.Samples.Any(static sample => sample.ResidentBytes < sample.HeldBytes))
        {
            notes.Add("Where the line lies lower, memory is held that nobody has written to yet: the system counts it from then on.");
        }

        return notes;
    }
}

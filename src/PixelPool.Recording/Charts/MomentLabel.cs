using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Diagnostics.Charts;

/// <summary>A named moment and where its name stands: above the chart, in the first lane that has room, beside its line.</summary>
/// <param name="Moment">Name and time.</param>
/// <param name="X">Where its line is.</param>
/// <param name="Lane">0 is the topmost; −1: there is no room for the name.</param>
/// <param name="EndsAtLine">Whether the name stands to the left of the line.</param>
internal readonly record struct MomentLabel(MemoryMoment Moment, double X, int Lane, bool EndsAtLine)
{
    /// <summary>Pixels between the line and its name.</summary>
    public const int Gap = 6;

    private const int MaxLanes = 4;
    private const int MaxLength = 48;
    private const double FontSize = 12.5;

    public string Text => SvgText.Shorten(Moment.Name, MaxLength);

    /// <summary>Places all names between the edges of the chart.</summary>
    public static List<MomentLabel> Place(IReadOnlyList<MemoryMoment> moments, Axis time, double left, double right)
    {
        var labels = new List<MomentLabel>();
        var taken = new List<(double From, double To)>[MaxLanes];
        foreach (MemoryMoment moment in moments)
        {
            var label = new MomentLabel(moment, time.At(moment.Sample.Elapsed.TotalSeconds), Lane: -1, EndsAtLine: false);
            double width = SvgText.Width(label.Text, FontSize) + Gap;
            bool endsAtLine = label.X + width > right && label.X - width >= left;
            (double From, double To) place = endsAtLine ? (label.X - width, label.X) : (label.X, label.X + width);
            for (int lane = 0; lane < MaxLanes; lane++)
            {
                taken[lane] ??= [];
                if (taken[lane].All(other => other.To + Gap < place.From || other.From > place.To + Gap))
                {
                    taken[lane].Add(place);
                    label = label with { Lane = lane, EndsAtLine = endsAtLine };
                    break;
                }
            }

            labels.Add(label);
        }

        return labels;
    }
}

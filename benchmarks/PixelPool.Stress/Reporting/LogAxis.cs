using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Stress.Reporting;

/// <summary>Equal ratios are equal distances.</summary>
/// <param name="marks">The values that are labelled, in their order, all more than 0. The axis reaches from the first to the last.</param>
/// <param name="start">The position of the first.</param>
/// <param name="end">The position of the last.</param>
/// <param name="label">What stands at a mark.</param>
internal sealed class LogAxis(IReadOnlyList<double> marks, double start, double end, Func<double, string> label) : Axis(start, end)
{
    private readonly double _min = marks[0];
    private readonly double _max = marks[marks.Count - 1];

    public override IEnumerable<AxisMark> Marks => marks.Select(mark => new AxisMark(At(mark), label(mark)));

    /// <summary>Marks at the powers of ten, from the one below the smallest value to the one above the largest.</summary>
    public static LogAxis ForDecades(double smallest, double largest, double start, double end, Func<double, string> label)
    {
        int first = (int)Math.Floor(Math.Log10(smallest));
        int last = (int)Math.Ceiling(Math.Log10(largest));
        return new LogAxis([.. Enumerable.Range(first, last - first + 1).Select(static power => Math.Pow(10, power))], start, end, label);
    }

    protected override double Share(double value) => Math.Log(value / _min) / Math.Log(_max / _min);
}

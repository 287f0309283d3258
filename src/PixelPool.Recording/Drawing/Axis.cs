namespace PixelPool.Diagnostics.Drawing;

/// <summary>Maps values to positions, in pixels.</summary>
/// <param name="start">The position of the smallest value.</param>
/// <param name="end">The position of the largest value.</param>
internal abstract class Axis(double start, double end)
{
    public double Start => start;

    public double End => end;

    /// <summary>The marks that are labelled, the smallest value first.</summary>
    public abstract IEnumerable<AxisMark> Marks { get; }

    public double At(double value) => start + ((end - start) * Share(value));

    /// <summary>How far along the axis a value lies: 0 for the smallest, 1 for the largest.</summary>
    protected abstract double Share(double value);
}

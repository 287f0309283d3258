namespace PixelPool.Measuring;

/// <summary>The values a quarter, a half and three quarters up a list of figures.</summary>
/// <param name="Lower">A quarter of them are smaller.</param>
/// <param name="Median">Half of them are smaller.</param>
/// <param name="Upper">Three quarters of them are smaller.</param>
public sealed record Quartiles(double Lower, double Median, double Upper)
{
    /// <param name="figures">At least one, in any order.</param>
    public static Quartiles Of(IEnumerable<double> figures)
    {
        double[] sorted = [.. figures.Order()];
        return new Quartiles(sorted[sorted.Length / 4], sorted[sorted.Length / 2], sorted[3 * sorted.Length / 4]);
    }
}

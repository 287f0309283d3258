using Imaging.Testing;

namespace Imaging.Tests.Resizing;

/// <summary>Lanczos3 as in the textbook, slow and in double precision; shares no code with the sample.</summary>
internal static class ReferenceResizer
{
    public static Picture Resize(Picture source, int width, int height) => Picture.Painted(width, height, (x, y, channel) =>
    {
        double sum = 0;
        foreach ((int sourceY, double weightY) in Weights(y, source.Height, height))
        {
            foreach ((int sourceX, double weightX) in Weights(x, source.Width, width))
            {
                sum += source[sourceX, sourceY, channel] * weightX * weightY;
            }
        }

        return Math.Clamp(sum, 0, 255);
    });

    private static IEnumerable<(int Index, double Weight)> Weights(int target, int sourceLength, int targetLength)
    {
        double scale = (double)sourceLength / targetLength;
        double center = ((target + 0.5) * scale) - 0.5;
        double[] weights = [.. Enumerable.Range(0, sourceLength).Select(i => Lanczos((i - center) / scale))];
        double sum = weights.Sum();
        return weights.Select((weight, i) => (i, weight / sum)).Where(tap => tap.Item2 != 0);
    }

    private static double Lanczos(double x) => x switch
    {
        0 => 1,
        <= -3 or >= 3 => 0,
        _ => 3 * Math.Sin(Math.PI * x) * Math.Sin(Math.PI * x / 3) / (Math.PI * Math.PI * x * x),
    };
}

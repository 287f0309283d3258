namespace Imaging.Resizing;

/// <summary>The windowed sinc with three lobes a side: sharp, with little ringing; the usual choice for photos.</summary>
internal static class Lanczos3
{
    public const double Radius = 3;

    public static double At(double x) => Math.Abs(x) < Radius ? Sinc(x) * Sinc(x / Radius) : 0;

    private static double Sinc(double x) => x == 0 ? 1 : Math.Sin(Math.PI * x) / (Math.PI * x);
}

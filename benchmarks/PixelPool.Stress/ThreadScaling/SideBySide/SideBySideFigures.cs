namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>One case in one round.</summary>
/// <param name="Alone">Nanoseconds of a rent and its return: of each thread while the other one sleeps.</param>
/// <param name="Together">Of each thread while both run.</param>
internal sealed record SideBySideFigures(double[] Alone, double[] Together)
{
    /// <summary>How many times more both do together than one of them alone.</summary>
    public double Scaling => Alone.Zip(Together, (alone, together) => alone / together).Sum();
}

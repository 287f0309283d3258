using System.Globalization;

namespace PixelPool.Tests.Stress;

/// <summary>How long a stress runs, and its seed: <c>PIXELPOOLTESTS_STRESS_SECONDS</c>, <c>PIXELPOOLTESTS_STRESS_SEED</c>.</summary>
internal static class StressTime
{
    /// <summary>The time that is asked for, or this one.</summary>
    public static TimeSpan Of(double seconds) => TimeSpan.FromSeconds(
        Environment.GetEnvironmentVariable("PIXELPOOLTESTS_STRESS_SECONDS") is { } asked ? double.Parse(asked, CultureInfo.InvariantCulture) : seconds);

    /// <summary>The seed that is asked for, or a new one; shown in the output of the test.</summary>
    public static int Seed()
    {
        int seed = Environment.GetEnvironmentVariable("PIXELPOOLTESTS_STRESS_SEED") is { } asked ? int.Parse(asked, CultureInfo.InvariantCulture) : Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"PIXELPOOLTESTS_STRESS_SEED={seed}");
        return seed;
    }
}

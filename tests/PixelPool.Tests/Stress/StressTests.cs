using System.Globalization;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Stress;

/// <summary>
/// Everything at once, on many threads: rents of every tier, views, pins, leaks, returns on other threads, threads that end, trims, memory pressure, failing
/// allocations, collections. Each image holds a cookie of its own, which nobody else may overwrite.
/// </summary>
/// <remarks>
/// <c>PIXELPOOLTESTS_STRESS_SECONDS</c> lengthens a run; <c>PIXELPOOLTESTS_STRESS_SEED</c> repeats the choices of one that failed (not the interleaving of
/// its threads).
/// </remarks>
[Trait("Category", "Long")]
public class StressTests
{
    private const double DefaultSeconds = 2.5;

    [Theory]
    [InlineData(StressVariant.Arrays, "")]
    [InlineData(StressVariant.SharedArrays, "")]
    [InlineData(StressVariant.Slabs, "")]
    [InlineData(StressVariant.Budget, "")]
    [InlineData(StressVariant.Slabs, "DOTNET_gcServer=1")]
    [InlineData(StressVariant.Divisible, "")]
    [InlineData(StressVariant.DivisibleBudget, "")]
    [InlineData(StressVariant.Whole, "")]
    [InlineData(StressVariant.Real, "")]
    [InlineData(StressVariant.Guarded, "")]
    public void Nothing_is_lost_or_shared(StressVariant variant, string runtime)
    {
        string seconds = Environment.GetEnvironmentVariable("PIXELPOOLTESTS_STRESS_SECONDS") ?? DefaultSeconds.ToString(CultureInfo.InvariantCulture);
        string seed = Environment.GetEnvironmentVariable("PIXELPOOLTESTS_STRESS_SEED") ?? Random.Shared.Next().ToString(CultureInfo.InvariantCulture);
        ChildProcess.Run(Run, [variant.ToString(), seed, seconds], runtime.Split(' ', StringSplitOptions.RemoveEmptyEntries));
    }

    private static void Run(string[] args)
    {
        int seed = int.Parse(args[1], CultureInfo.InvariantCulture);
        Console.WriteLine($"PIXELPOOLTESTS_STRESS_SEED={seed}");
        new StressRun(Enum.Parse<StressVariant>(args[0]), seed).Execute(TimeSpan.FromSeconds(double.Parse(args[2], CultureInfo.InvariantCulture)));
    }
}

using System.Diagnostics;

namespace PixelPool.Stress.Measuring;

/// <summary>How often in a second something happens that other threads do without a pause.</summary>
internal static class SteadyRate
{
    public const int Intervals = 5;

    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(1);

    public static TimeSpan Interval { get; } = TimeSpan.FromSeconds(0.3);

    /// <summary>The rate of the best interval: others on the machine only make it smaller.</summary>
    /// <param name="count">How often it has happened so far.</param>
    public static double Best(Func<long> count)
    {
        Thread.Sleep(s_warmUp);
        return Enumerable.Range(0, Intervals).Max(_ => Next(count, Interval));
    }

    /// <summary>The rate of one interval.</summary>
    /// <param name="count">How often it has happened so far.</param>
    /// <param name="interval">How long that is.</param>
    public static double Next(Func<long> count, TimeSpan interval)
    {
        long before = count();
        long start = Stopwatch.GetTimestamp();
        Thread.Sleep(interval);
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        return (count() - before) / seconds;
    }
}

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
        double best = 0;
        for (int i = 0; i < Intervals; i++)
        {
            long before = count();
            long start = Stopwatch.GetTimestamp();
            Thread.Sleep(Interval);
            double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
            best = Math.Max(best, (count() - before) / seconds);
        }

        return best;
    }
}

using PixelPool.Measuring;

namespace ThumbnailService.Load.Reporting;

/// <summary>A run in a few lines, for the terminal.</summary>
internal static class RunSummary
{
    public static void Print(RunFigures run)
    {
        Console.WriteLine($"  served        {run.Served} of {run.Requests}, {run.Parallelism} at a time");
        foreach ((string reason, int count) in run.Failures)
        {
            Console.WriteLine($"  failed        {count}: {reason}");
        }

        int unsent = run.Requests - run.Served - run.Failed;
        if (unsent > 0)
        {
            Console.WriteLine($"  never sent    {unsent}");
        }

        if (run.Served > 0)
        {
            Console.WriteLine($"  latency       p50 {Latency(run.Percentile(0.5))}, p99 {Latency(run.Percentile(0.99))}, longest {Latency(run.Percentile(1))}");
            Console.WriteLine($"  throughput    {run.Served / run.Seconds:0.0} photos/s, {run.ServedMegapixels / run.Seconds:0} megapixels/s, for {run.Seconds:0.0} s");
        }

        Console.WriteLine($"  peak memory   {Figures.Mebibytes(run.PeakGroupBytes)} MiB charged to the control group, {Figures.Mebibytes(run.PeakResidentBytes)} MiB resident in the service");
        Console.WriteLine($"  killed        {(run.KillText is { } when ? $"by the kernel: out of memory, {when}" : "no")}");
    }

    private static string Latency(double seconds) => Figures.Nanoseconds(seconds * 1e9);
}

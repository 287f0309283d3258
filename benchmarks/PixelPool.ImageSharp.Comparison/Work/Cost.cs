using System.Diagnostics;

namespace ImageSharp.Comparison.Work;

/// <summary>What something took.</summary>
/// <param name="Milliseconds">On the clock.</param>
/// <param name="ProcessorMilliseconds">Of all processors together: what others do on the machine at the same time counts less there.</param>
internal readonly record struct Cost(double Milliseconds, double ProcessorMilliseconds)
{
    public static Cost Of(Action action)
    {
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        long started = Stopwatch.GetTimestamp();
        action();
        return new Cost(
            Stopwatch.GetElapsedTime(started).TotalMilliseconds, (Environment.CpuUsage.TotalTime - processor).TotalMilliseconds);
    }

    /// <summary>The better of two, each figure for itself.</summary>
    public static Cost Best(Cost one, Cost other) =>
        new(Math.Min(one.Milliseconds, other.Milliseconds), Math.Min(one.ProcessorMilliseconds, other.ProcessorMilliseconds));
}

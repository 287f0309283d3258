using System.Text.Json.Serialization;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>One contender and one workload, with ever more threads.</summary>
/// <param name="Seconds">For each number of threads.</param>
internal sealed record ThreadJob(string ContenderName, string WorkloadName, int[] Threads, double Seconds)
{
    [JsonIgnore]
    public RentWorkload Workload => RentWorkload.Named(WorkloadName);
}

using PixelPool.Stress.ThreadScaling.Renting;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>Who rents.</summary>
/// <param name="Run">Measures it: the type of what rents must be known to the compiler, so that no virtual call is part of the figures.</param>
internal sealed record RentContender(string Name, string Title, Func<ThreadJob, ThreadPoint[]> Run)
{
    public static IReadOnlyList<RentContender> All { get; } =
    [
        new("pixelbuffer", "PixelBuffer", job => ThreadRun.Execute(new BufferRenter(job.Workload), job)),
        new("pixellease", "PixelLease", job => ThreadRun.Execute(new LeaseRenter(job.Workload), job)),
        new("arraypool", "ArrayPool.Shared", job => ThreadRun.Execute(new ArrayPoolRenter(job.Workload), job)),
        new("native", "NativeMemory (malloc)", job => ThreadRun.Execute(new NativeRenter(job.Workload), job)),
        new("locked-stack", "one lock + stack", job => ThreadRun.Execute(new LockedStackRenter(job.Workload), job)),
    ];

    public static RentContender Named(string name) => All.First(contender => contender.Name == name);
}

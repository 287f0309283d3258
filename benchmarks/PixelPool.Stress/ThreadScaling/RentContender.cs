using PixelPool.Stress.Renting;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>Who rents.</summary>
/// <param name="Run">Measures it: the type of what rents must be known to the compiler, so that no virtual call is part of the figures.</param>
internal sealed record RentContender(string Name, string Title, Func<ThreadJob, ThreadPoint[]> Run)
{
    public static IReadOnlyList<RentContender> All { get; } =
    [
        new("pixelbuffer", "PixelBuffer", job => RunImages<BufferRenter, BufferImage>(new BufferRenter(PixelAllocator.Create()), job)),
        new("pixellease", "PixelLease", job => RunImages<LeaseRenter, PixelLease<uint>>(new LeaseRenter(PixelAllocator.Create()), job)),
        new("arraypool", "ArrayPool.Shared", RunImages<ArrayPoolRenter, ArrayImage>),
        new("native", "NativeMemory (malloc)", RunImages<NativeRenter, NativeImage>),
        new("locked-stack", "one lock + stack", job => ThreadRun.Execute(new UntouchedBlocks(job.Workload), job)),
    ];

    public static RentContender Named(string name) => All.First(contender => contender.Name == name);

    private static ThreadPoint[] RunImages<TRenter, TImage>(ThreadJob job)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct => RunImages<TRenter, TImage>(default, job);

    private static ThreadPoint[] RunImages<TRenter, TImage>(TRenter renter, ThreadJob job)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct => ThreadRun.Execute(new UntouchedImage<TRenter, TImage>(renter, job.Workload), job);
}

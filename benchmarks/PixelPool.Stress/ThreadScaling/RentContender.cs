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
        new("pixellease-budget", "PixelLease, budget", job => RunImages<LeaseRenter, PixelLease<uint>>(new LeaseRenter(CreateWithBudget()), job)),
        new("arraypool", "ArrayPool.Shared", RunImages<ArrayPoolRenter, ArrayImage>),
        new("native", "NativeMemory (malloc)", RunImages<NativeRenter, NativeImage>),
        new("locked-stack", "one lock + stack", job => ThreadRun.Execute(new UntouchedBlocks(job.Workload), job)),
    ];

    /// <summary>Whether it has memory of several sizes.</summary>
    public bool HasSizes => Name != "locked-stack";

    public static RentContender Named(string name) => All.First(contender => contender.Name == name);

    private static ThreadPoint[] RunImages<TRenter, TImage>(ThreadJob job)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct => RunImages<TRenter, TImage>(default, job);

    private static ThreadPoint[] RunImages<TRenter, TImage>(TRenter renter, ThreadJob job)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct =>
        job.Workload.Side == 0
            ? ThreadRun.Execute(new HeldImages<TRenter, TImage>(renter), job)
            : ThreadRun.Execute(new UntouchedImage<TRenter, TImage>(renter, job.Workload), job);

    // Far more than is ever rented: what it costs to be charged, not to be refused.
    private static PixelAllocator CreateWithBudget()
    {
        const long Bytes = 8L << 30;
        return PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = Bytes, MaxRentedBytes = Bytes });
    }
}

using System.Reflection;
using PixelPool;
using PixelPool.ImageSharp;
using PixelPool.Measuring;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Memory;

namespace ImageSharp.Comparison.Work;

/// <summary>What one process does and measures.</summary>
internal static class Job
{
    public static JobResult Run(JobKind kind, Contender contender, string photos)
    {
        MemoryAllocator memory = Create(contender);
        Configuration configuration = Configuration.Default.Clone();
        configuration.MemoryAllocator = memory;
        IWork work = kind == JobKind.Operations ? new OperationsWork(configuration) : new ThumbnailWork(configuration, photos, kind == JobKind.Thumbnails ? 1 : 8);
        work.WarmUp();
        ResidentMemory.ResetPeak();
        ManagedActivity before = ManagedActivity.Now();
        Dictionary<string, Cost> costs = work.Run();
        ManagedActivity activity = ManagedActivity.Now() - before;
        long peak = ResidentMemory.Peak();
        memory.ReleaseRetainedResources();
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        return new JobResult(
            typeof(Image).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0],
            costs,
            peak,
            ResidentMemory.Current(),
            activity.AllocatedBytes,
            activity.Gen0,
            work.Hash);
    }

    private static MemoryAllocator Create(Contender contender) => contender switch
    {
        Contender.Default => MemoryAllocator.Create(),
        Contender.NoPool => MemoryAllocator.Create(new MemoryAllocatorOptions { MaximumPoolSizeMegabytes = 0 }),
        _ => new PixelPoolMemoryAllocator(PixelAllocator.Create()),
    };
}

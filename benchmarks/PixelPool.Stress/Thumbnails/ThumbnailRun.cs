using System.Diagnostics;
using Imaging;
using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Photos;
using Imaging.Photos.TestPhotos;
using Imaging.Thumbnails;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.Thumbnails;

/// <summary>The pipeline of the sample over a folder of photos, in a process of its own.</summary>
internal static class ThumbnailRun
{
    /// <summary>The longer side of a thumbnail, in pixels.</summary>
    public const int Size = 256;

    private static readonly FreshProcess<ThumbnailJob, ThumbnailFigures> s_process = new("thumbnail-run", Execute);

    public static System.CommandLine.Command Command => s_process.Command();

    /// <remarks>With the setting that the sample's own project has.</remarks>
    public static ThumbnailFigures InFreshProcess(ThumbnailJob job) => s_process.Run(job, ("DOTNET_TC_QuickJitForLoops", "0"));

    private static ThumbnailFigures Execute(ThumbnailJob job)
    {
        IReadOnlyList<Photo> photos = job.Photos is { } folder ? PhotoFolder.Find(folder) : TestPhotos();
        DirectoryInfo thumbnails = Directory.CreateTempSubdirectory("PixelPool.Stress.");
        try
        {
            using var memory = ImageMemory.Create(job.Allocator, "PixelPool.Stress");
            var settings = new ThumbnailSettings(thumbnails.FullName, ImageCodecs.Default, Size);
            return Measure([.. Enumerable.Repeat(photos, job.Repetitions).SelectMany(photos => photos)], job.Parallelism, settings, memory);
        }
        finally
        {
            thumbnails.Delete(recursive: true);
        }
    }

    private static IReadOnlyList<Photo> TestPhotos()
    {
        TestPhotoSet.PaintMissing(Environment.ProcessorCount, progress: null, CancellationToken.None);
        return TestPhotoSet.Photos;
    }

    private static ThumbnailFigures Measure(Photo[] photos, int parallelism, ThumbnailSettings settings, ImageMemory memory)
    {
        var totals = new RunTotals();
        var pipeline = new ThumbnailPipeline(settings, memory, TimeProvider.System);
        ThreadPool.SetMinThreads(parallelism, parallelism);

        ResidentMemory.ResetPeak();
        var managedBefore = ManagedActivity.Now();
        long start = Stopwatch.GetTimestamp();
        Workers.Process(photos, parallelism, CancellationToken.None, photo => totals.Add(pipeline.Process(photo)));
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        ManagedActivity managed = ManagedActivity.Now() - managedBefore;
        long peak = ResidentMemory.Peak();

        memory.GiveBackIdle();
        return totals.Thumbnails > 0
            ? new ThumbnailFigures(totals.Thumbnails, totals.Pixels / 1e6, seconds, managed, peak, ResidentMemory.Current())
            : throw new InvalidOperationException("Not one thumbnail could be made.");
    }
}

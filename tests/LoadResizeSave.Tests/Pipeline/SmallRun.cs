using LoadResizeSave.Codecs;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Memory;
using LoadResizeSave.Photos;
using LoadResizeSave.Pipeline;

namespace LoadResizeSave.Tests.Pipeline;

/// <summary>The pipeline over a folder, in memory that the test can look at; no report, no pauses.</summary>
internal static class SmallRun
{
    public const int ThumbnailSide = 48;

    public const int Repetitions = 3;

    public static RunTotals Execute(string input, string output, ImageMemory memory, int parallelism, int leakEvery = 0)
    {
        ThumbnailPipeline pipeline = PipelineTo(output, memory, leakEvery);
        var totals = new RunTotals();
        Photo[] work = [.. Enumerable.Repeat(PhotoFolder.Find(input), Repetitions).SelectMany(photos => photos)];
        Parallel.ForEach(
            work,
            new ParallelOptions { MaxDegreeOfParallelism = parallelism },
            photo => totals.Add(pipeline.Process(photo)));
        return totals;
    }

    public static ThumbnailPipeline PipelineTo(string output, ImageMemory memory, int leakEvery = 0, IImageCodec? format = null)
    {
        var settings = new Settings
        {
            Input = null,
            Output = output,
            Allocator = AllocatorKind.PixelPool,
            Format = format ?? ImageCodecs.Png,
            Size = ThumbnailSide,
            Parallelism = 1,
            Repetitions = 1,
            LeakEvery = leakEvery,
            WatchIdle = false,
        };
        return new ThumbnailPipeline(settings, memory, TimeProvider.System);
    }
}

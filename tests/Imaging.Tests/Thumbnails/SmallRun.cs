using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Photos;
using Imaging.Thumbnails;

namespace Imaging.Tests.Thumbnails;

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

    public static ThumbnailPipeline PipelineTo(string output, ImageMemory memory, int leakEvery = 0, IImageCodec? format = null) =>
        new(new ThumbnailSettings(output, format ?? ImageCodecs.Bmp, ThumbnailSide, leakEvery), memory, TimeProvider.System);
}

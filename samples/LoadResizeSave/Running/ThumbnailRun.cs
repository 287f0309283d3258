using Imaging;
using Imaging.Memory;
using Imaging.Photos;
using Imaging.Photos.TestPhotos;
using Imaging.Thumbnails;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Reporting;
using PixelPool.Diagnostics;
using PixelPool.Measuring;

namespace LoadResizeSave.Running;

/// <summary>The program from start to end: find photos, make thumbnails, watch memory come back, report.</summary>
internal static class ThumbnailRun
{
    public static async Task<int> ExecuteAsync(Settings settings, CancellationToken interruption)
    {
        TimeProvider time = TimeProvider.System;
        IProgressDisplay progress = ProgressDisplay.ForThisConsole(time);
        if (OutputPaths.Problem(settings) is { } unwritable)
        {
            RunReport.PrintError(unwritable);
            return ExitCode.BadCommandLine;
        }

        RunReport.PrintMissingLibraries(settings.Format);

        // The pool of threads starts with one a processor; the timer that samples memory must not wait for one.
        ThreadPool.SetMinThreads(settings.Parallelism + 4, settings.Parallelism + 4);
        using var stop = new CancellationTokenSource();
        using CancellationTokenRegistration answer = interruption.Register(() =>
        {
            // First, so that this stands above what the run says when it stops.
            progress.Say("Interrupted: work that has begun is brought to an end. Ctrl+C again ends at once.");
            stop.Cancel();
        });
        try
        {
            if (settings.Input is null && !TestPhotoRun.TryExecute(settings.Parallelism, progress, stop.Token))
            {
                return ExitCode.Interrupted;
            }

            IReadOnlyList<Photo> photos = settings.Input is { } folder ? PhotoFolder.Find(folder) : TestPhotoSet.Photos;
            if (photos.Count == 0)
            {
                RunReport.PrintError($"There are no JPEG, PNG, BMP or PPM files in {settings.Input}.");
                return ExitCode.NoThumbnail;
            }

            using ImageMemory memory = ImageMemory.Create(settings.Allocator, nameof(LoadResizeSave));
            RunResult result = await MakeThumbnailsAsync(settings, photos, memory, progress, time, stop.Token);
            bool isReported = RunReport.Print(result);
            return result.Interruption is not null ? ExitCode.Interrupted
                : result.Totals.Thumbnails == 0 ? ExitCode.NoThumbnail
                : isReported ? ExitCode.Success
                : ExitCode.NoReport;
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            RunReport.PrintError(problem.Message);
            return ExitCode.NoThumbnail;
        }
    }

    private static async Task<RunResult> MakeThumbnailsAsync(
        Settings settings,
        IReadOnlyList<Photo> photos,
        ImageMemory memory,
        IProgressDisplay progress,
        TimeProvider time,
        CancellationToken interruption)
    {
        var totals = new RunTotals();
        var pipeline = new ThumbnailPipeline(settings.Thumbnails, memory, time);
        Photo[] work = [.. Enumerable.Repeat(photos, settings.Repetitions).SelectMany(folder => folder)];

        ResidentMemory.ResetPeak();
        var managedBefore = ManagedActivity.Now();
        using var recorder = MemoryRecorder.Start(memory.Allocator, new MemoryRecorderOptions { TimeProvider = time });
        progress.Show("Making thumbnails", work.Length, report =>
            Workers.Process(work, settings.Parallelism, interruption, photo =>
            {
                PhotoOutcome outcome = pipeline.Process(photo);
                totals.Add(outcome);
                report.Report(outcome.Pixels);
            }));

        TimeSpan elapsed = recorder.Mark("last photo").Sample.Elapsed;
        ManagedActivity managed = ManagedActivity.Now() - managedBefore;
        await new MemoryReturn(settings, memory, recorder, time, interruption).WatchAsync();

        bool isInterrupted = interruption.IsCancellationRequested;
        return new RunResult(settings, totals, elapsed, managed, memory.Statistics, recorder.Stop())
        {
            Interruption = isInterrupted ? TextOf(totals.Processed, work.Length) : null,

            // Of some of the photos it would say nothing about all of them.
            Hash = totals.Thumbnails > 0 && !isInterrupted ? ThumbnailHash.Of(totals.Done.Select(pipeline.ThumbnailPath)) : null,
        };
    }

    private static string TextOf(int processed, int photos) => processed < photos
        ? $"after {processed} of {Count.Of(photos, "photo")}; the figures are of these"
        : "after the last photo, while memory came back";
}

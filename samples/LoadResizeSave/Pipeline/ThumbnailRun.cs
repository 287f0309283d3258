using System.Collections.Concurrent;
using LoadResizeSave.Codecs.Jpeg;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Memory;
using LoadResizeSave.Photos;
using LoadResizeSave.Photos.TestPhotos;
using LoadResizeSave.Reporting;
using PixelPool.Diagnostics;

namespace LoadResizeSave.Pipeline;

/// <summary>The program from start to end: find photos, make thumbnails, watch memory come back, report.</summary>
internal static class ThumbnailRun
{
    /// <summary>How long the chart shows idle memory before and after it is given back.</summary>
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(600);

    /// <summary>The same for a run that waited half a minute, beside which that would be too short to see.</summary>
    private static readonly TimeSpan s_pauseAfterWatch = TimeSpan.FromSeconds(4);

    private static readonly TimeSpan s_longestWatch = TimeSpan.FromSeconds(60);

    public static async Task<int> ExecuteAsync(Settings settings, CancellationToken cancellation)
    {
        TimeProvider time = TimeProvider.System;
        IProgressDisplay progress = ProgressDisplay.ForThisConsole(time);
        if (!TurboJpegLibrary.IsAvailable)
        {
            RunReport.PrintJpegIsMissing();
        }

        // The pool of threads starts with one a processor; the timer that samples memory must not wait for one.
        ThreadPool.SetMinThreads(settings.Parallelism + 4, settings.Parallelism + 4);

        try
        {
            string folder = settings.Input ?? PrepareTestPhotos(settings, progress, cancellation);
            IReadOnlyList<Photo> photos = PhotoFolder.Find(folder);
            if (photos.Count == 0)
            {
                RunReport.PrintError($"There are no JPEG, PNG or PPM files in {folder}.");
                return ExitCode.NoThumbnail;
            }

            Directory.CreateDirectory(settings.Output);

            using ImageMemory memory = ImageMemory.Create(settings.Allocator);
            RunResult result = await MakeThumbnailsAsync(settings, photos, memory, progress, time, cancellation);
            RunReport.Print(result);
            return cancellation.IsCancellationRequested ? ExitCode.Cancelled
                : result.Totals.Thumbnails > 0 ? ExitCode.Success
                : ExitCode.NoThumbnail;
        }
        catch (OperationCanceledException)
        {
            return ExitCode.Cancelled;
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            RunReport.PrintError(problem.Message);
            return ExitCode.NoThumbnail;
        }
    }

    private static string PrepareTestPhotos(Settings settings, IProgressDisplay progress, CancellationToken cancellation)
    {
        TestPhoto[] missing = [.. TestPhotoSet.Missing];
        if (missing.Length > 0)
        {
            progress.Show("Making test photos", missing.Length, report =>
                InParallel(missing, settings.Parallelism, cancellation, photo =>
                {
                    TestPhotoSet.Take(photo);
                    report.Report((long)photo.Width * photo.Height);
                }));
        }

        return TestPhotoSet.Folder;
    }

    private static async Task<RunResult> MakeThumbnailsAsync(
        Settings settings,
        IReadOnlyList<Photo> photos,
        ImageMemory memory,
        IProgressDisplay progress,
        TimeProvider time,
        CancellationToken cancellation)
    {
        var totals = new RunTotals();
        var pipeline = new ThumbnailPipeline(settings, memory, time);
        Photo[] work = [.. Enumerable.Repeat(photos, settings.Repetitions).SelectMany(folder => folder)];

        ResidentMemory.ResetPeak();
        var managedBefore = ManagedActivity.Now();
        using var recorder = MemoryRecorder.Start(memory.Allocator, new MemoryRecorderOptions { TimeProvider = time });
        try
        {
            progress.Show("Making thumbnails", work.Length, report =>
                InParallel(work, settings.Parallelism, cancellation, photo =>
                {
                    PhotoOutcome outcome = pipeline.Process(photo);
                    totals.Add(outcome);
                    report.Report(outcome.Pixels);
                }));
        }
        catch (OperationCanceledException)
        {
            // What was finished is still worth a report.
        }

        TimeSpan elapsed = recorder.Mark("last photo").Sample.Elapsed;
        ManagedActivity managed = ManagedActivity.Now() - managedBefore;
        if (!cancellation.IsCancellationRequested)
        {
            await WatchMemoryComeBackAsync(settings, memory, recorder, time, cancellation);
        }

        return new RunResult(settings, totals, elapsed, managed, memory.Statistics, recorder.Stop())
        {
            Hash = totals.Thumbnails > 0 ? ThumbnailHash.Of(totals.Done.Select(pipeline.ThumbnailPath)) : null,
        };
    }

    private static async Task WatchMemoryComeBackAsync(
        Settings settings, ImageMemory memory, MemoryRecorder recorder, TimeProvider time, CancellationToken cancellation)
    {
        await Task.Delay(s_pause, time, cancellation);
        if (settings.LeakEvery > 0)
        {
            // Forgotten images come back with the next collection, which an idle program may not have for a long time.
            GC.Collect();
            GC.WaitForPendingFinalizers();
            recorder.Mark("finalizers");
            await Task.Delay(s_pause, time, cancellation);
        }

        if (settings.WatchIdle)
        {
            long start = time.GetTimestamp();
            while (memory.Statistics is { IdleBytes: > 0 } && time.GetElapsedTime(start) < s_longestWatch)
            {
                await Task.Delay(s_pause, time, cancellation);
            }
        }
        else
        {
            memory.GiveBackIdle();
        }

        recorder.Mark(settings.WatchIdle ? "let go by itself" : memory.WayToGiveBack);
        await Task.Delay(settings.WatchIdle ? s_pauseAfterWatch : s_pause, time, cancellation);
    }

    /// <summary>One item at a time for each thread: photos differ too much in size for portions.</summary>
    private static void InParallel<T>(T[] items, int parallelism, CancellationToken cancellation, Action<T> process) =>
        Parallel.ForEach(
            Partitioner.Create(items, EnumerablePartitionerOptions.NoBuffering),
            new ParallelOptions { MaxDegreeOfParallelism = parallelism, CancellationToken = cancellation },
            process);
}

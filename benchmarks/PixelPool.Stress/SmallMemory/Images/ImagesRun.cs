using System.Diagnostics;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;
using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory.Images;

/// <summary>The program with a number of threads, in a process of its own: all threads start each round together.</summary>
internal sealed class ImagesRun(int threads) : IRenterWork<ImagesFigures>
{
    /// <summary>Code gets its final form in the background, after pauses without new code: small rounds, with pauses between them.</summary>
    private const int WarmUpRounds = 16;
    private const int WarmUpImages = 64;
    private static readonly TimeSpan s_warmUpPause = TimeSpan.FromMilliseconds(60);

    private readonly int _laterRounds = threads == ImagesPlan.ManyThreads ? ImagesPlan.LaterRounds : 0;

    private long _phaseTimestamp;

    public static FreshProcess<ImagesJob, ImagesFigures> Process { get; } =
        new("small-images-run", job => SmallContender.Named(job.Contender).Run(new ImagesRun(job.Threads)));

    public ImagesFigures Run<TRenter, TImage>(TRenter renter)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        // The first round of full size gets most of the memory.
        int[] rounds = [.. Enumerable.Repeat(WarmUpImages, WarmUpRounds), .. Enumerable.Repeat(ImagesPlan.Held, 1 + ImagesPlan.MeasuredRounds + _laterRounds)];
        using var barrier = new Barrier(threads + 1, _ => _phaseTimestamp = Stopwatch.GetTimestamp());
        ImagesWorker<TRenter, TImage>[] workers = [.. Enumerable.Range(0, threads).Select(_ => new ImagesWorker<TRenter, TImage>(renter))];
        Thread[] all = [.. workers.Select(worker => new Thread(() =>
        {
            foreach (int images in rounds)
            {
                barrier.SignalAndWait();
                worker.Round(images);
                barrier.SignalAndWait();
            }

            barrier.SignalAndWait();
        }))];
        Array.ForEach(all, static thread => thread.Start());

        var seconds = new List<double>();
        foreach (int images in rounds)
        {
            Thread.Sleep(images == WarmUpImages ? s_warmUpPause : TimeSpan.Zero);
            barrier.SignalAndWait();
            long start = _phaseTimestamp;
            barrier.SignalAndWait();
            seconds.Add(Stopwatch.GetElapsedTime(start, workers.Max(worker => worker.EndTimestamp)).TotalSeconds);
        }

        long returned = ResidentMemory.Current();
        long? trimmed = renter.Trim() ? ResidentMemory.Current() : null;
        barrier.SignalAndWait();
        Array.ForEach(all, static thread => thread.Join());
        return new ImagesFigures(
            seconds.SkipLast(_laterRounds).TakeLast(ImagesPlan.MeasuredRounds).Average(),
            _laterRounds == 0 ? null : Quartiles.Of(seconds.TakeLast(_laterRounds)).Median,
            ResidentMemory.Peak(),
            returned,
            trimmed);
    }
}

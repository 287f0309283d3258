using PixelPool.Measuring;
using ThumbnailService.Load.Reporting;
using ThumbnailService.Load.Watching;

namespace ThumbnailService.Load.Firing;

/// <summary>Fires all requests, as many at the same time as was asked for, and tells what came out.</summary>
internal static class FireRun
{
    private static readonly TimeSpan s_progressPeriod = TimeSpan.FromSeconds(10);

    /// <summary>A service that has no memory left may answer nothing any more.</summary>
    private static readonly TimeSpan s_lastQuestionLimit = TimeSpan.FromSeconds(10);

    public static async Task<int> ExecuteAsync(FireSettings settings, CancellationToken cancellation)
    {
        TimeProvider time = TimeProvider.System;
        IReadOnlyList<Target> targets = Target.LoadAll(settings.Photos);
        if (targets.Count == 0)
        {
            await Console.Error.WriteLineAsync($"There are no JPEG files in {settings.Photos}.");
            return 1;
        }

        using var connections = new SocketsHttpHandler { MaxConnectionsPerServer = settings.Parallelism };
        using var client = new HttpClient(connections) { BaseAddress = settings.Service, Timeout = Timeout.InfiniteTimeSpan };
        using var end = new RunEnd(settings.TimeLimit, cancellation);
        var group = new ControlGroup(settings.Group);
        var watch = new MemoryWatch(group, new WatchedProcess(settings.ProcessId), time);
        long start = time.GetTimestamp();
        var log = new RequestLog(time);
        await using (time.CreateTimer(_ => PrintProgress(settings, log, group), null, s_progressPeriod, s_progressPeriod))
        {
            int sent = 0;
            int? Next() => Interlocked.Increment(ref sent) is var number && number <= settings.Requests ? number - 1 : null;
            await Task.WhenAll(Enumerable.Range(0, settings.Parallelism)
                .Select(_ => new Worker(client, targets, log, time).RunAsync(Next, end)));
        }

        TimeSpan elapsed = time.GetElapsedTime(start);
        string? service = await AskServiceAsync(client);
        IReadOnlyList<MemorySample> samples = await watch.StopAsync();
        var figures = new RunFigures(
            settings.Title, Describe(targets), group.Version, group.LimitBytes, settings.Requests, settings.Parallelism, log.Ends,
            elapsed.TotalSeconds, log.ServedMegapixels, Math.Max(group.PeakBytes, samples.Max(sample => sample.GroupBytes)),
            watch.PeakResidentBytes, watch.KilledSeconds, service, samples);
        figures.Save(settings.FiguresPath);
        RunSummary.Print(figures);
        cancellation.ThrowIfCancellationRequested();
        return 0;
    }

    private static string Describe(IReadOnlyList<Target> targets) =>
        $"{targets.Count} photos of {targets.Average(target => target.Pixels) / 1e6:0} megapixels, {targets.Count(target => target.IsProgressive)} of them progressive";

    private static void PrintProgress(FireSettings settings, RequestLog log, ControlGroup group) =>
        Console.WriteLine($"  {log.Served} of {settings.Requests} served; {Figures.Mebibytes(group.UsageBytes)} MiB in use");

    private static async Task<string?> AskServiceAsync(HttpClient client)
    {
        using var limit = new CancellationTokenSource(s_lastQuestionLimit);
        try
        {
            return await client.GetStringAsync("memory", limit.Token);
        }
        catch (Exception problem) when (problem is HttpRequestException or OperationCanceledException)
        {
            return null;
        }
    }
}

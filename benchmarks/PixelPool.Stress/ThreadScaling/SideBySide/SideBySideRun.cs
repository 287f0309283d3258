using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>
/// All cases in one process, by turns: in each round every case runs on one thread, on both, and on the other one. What the host of a virtual machine or neighbours do
/// is the same for all of them.
/// </summary>
internal static class SideBySideRun
{
    // Code gets its final form in the background, after pauses without new code.
    private static readonly TimeSpan s_warmUp = TimeSpan.FromMilliseconds(400);

    /// <summary>How long a case runs at a time.</summary>
    public static TimeSpan Time { get; } = TimeSpan.FromMilliseconds(40);

    /// <summary>The job is the number of rounds; the result has the rounds of each case.</summary>
    public static FreshProcess<int, SideBySideFigures[][]> Process { get; } = new("side-by-side-run", Execute);

    private static SideBySideFigures[][] Execute(int rounds)
    {
        SideBySideThread[] threads = [new(), new()];
        UntouchedBatch[][] cases = [.. SideBySideCase.All.Select(@case => threads.Select(_ => @case.ForThread()).ToArray())];
        foreach (UntouchedBatch[] batches in cases)
        {
            Measure(threads, batches, s_warmUp);
            Thread.Sleep(s_warmUp / 4);
        }

        SideBySideFigures[][] figures = [.. cases.Select(_ => new SideBySideFigures[rounds])];
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < cases.Length; i++)
            {
                figures[i][round] = Measure(threads, cases[i]);
            }
        }

        return figures;
    }

    private static SideBySideFigures Measure(SideBySideThread[] threads, UntouchedBatch[] batches)
    {
        double first = Measure([threads[0]], batches, Time)[0];
        double[] together = Measure(threads, batches, Time);
        double second = Measure([threads[1]], [batches[1]], Time)[0];
        return new SideBySideFigures([first, second], together);
    }

    private static double[] Measure(SideBySideThread[] threads, UntouchedBatch[] batches, TimeSpan time)
    {
        var stop = new StopSignal();
        Task<double>[] running = [.. threads.Zip(batches, (thread, batch) => thread.Run(batch, stop))];
        Thread.Sleep(time);
        stop.Set();
        return [.. running.Select(static nanoseconds => nanoseconds.Result)];
    }
}

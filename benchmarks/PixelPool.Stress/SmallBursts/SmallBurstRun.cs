using PixelPool.Measuring;
using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.SmallBursts;

/// <summary>Bursts of one contender, in a process of its own.</summary>
internal static class SmallBurstRun
{
    // The part of a burst before which nothing is measured: code is compiled, and threads have run.
    private const int WarmUpPart = 64;

    public static FreshProcess<SmallBurstJob, SmallBurstRound[]> Process { get; } = new("small-burst-run", Execute);

    private static SmallBurstRound[] Execute(SmallBurstJob job)
    {
        SmallBurstPlan plan = job.Plan;
        using SmallMemory memory = SmallBurstContender.Named(job.Contender).Create();
        Burst(memory, plan with { Bytes = plan.Bytes / WarmUpPart }, plan.Seed);
        Trim(memory);
        long start = ResidentMemory.Current();
        return [.. Enumerable.Range(1, plan.Rounds).Select(round =>
        {
            long peak = Burst(memory, plan, plan.Seed + (round * plan.Threads));
            long returned = ResidentMemory.Current() - start;
            bool isAccounted = Trim(memory);
            return new SmallBurstRound(peak, returned, ResidentMemory.Current() - start, isAccounted);
        })];
    }

    // The managed objects of a burst have grown old: only a full collection gives their memory back.
    private static bool Trim(SmallMemory memory)
    {
        bool isAccounted = memory.Trim();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        return isAccounted;
    }

    /// <returns>Resident memory at the peak.</returns>
    private static long Burst(SmallMemory memory, SmallBurstPlan plan, int seed)
    {
        ISmallPieces[] pieces = [.. Enumerable.Range(0, plan.Threads).Select(thread => memory.CreatePieces(new Random(seed + thread)))];
        using var all = new Barrier(plan.Threads);
        long peak = 0;
        OnThreads(plan.Threads, thread =>
        {
            pieces[thread].Take(plan.Bytes / plan.Threads);
            all.SignalAndWait();
            if (thread == 0)
            {
                peak = ResidentMemory.Current();
            }

            all.SignalAndWait();
            pieces[thread].ReturnHalf();
        });
        OnThreads(plan.Threads, thread => pieces[(thread + 1) % plan.Threads].ReturnRest());
        return peak;
    }

    private static void OnThreads(int count, Action<int> work)
    {
        Thread[] threads = [.. Enumerable.Range(0, count).Select(index => new Thread(() => work(index)))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());
    }
}

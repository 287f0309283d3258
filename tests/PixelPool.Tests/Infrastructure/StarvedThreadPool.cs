namespace PixelPool.Tests.Infrastructure;

/// <summary>A thread pool of a few threads, all of which are blocked. For child processes: it stays so small.</summary>
internal static class StarvedThreadPool
{
    public const int Threads = 4;

    /// <summary>Lets the pool have so many threads, and no more.</summary>
    public static void Limit() => Assert.True(ThreadPool.SetMinThreads(Threads, Threads) && ThreadPool.SetMaxThreads(Threads, Threads));

    /// <summary>Acts while all of them are blocked, and lets them go on then.</summary>
    public static void WhileAllAreBlocked(Action act)
    {
        Limit();
        using var everybody = new CountdownEvent(Threads);
        using var isDone = new ManualResetEventSlim();
        Task[] blocked = [.. Enumerable.Range(0, Threads).Select(_ => Task.Run(() =>
        {
            everybody.Signal();
            isDone.Wait();
        }))];
        everybody.Wait();
        try
        {
            act();
        }
        finally
        {
            isDone.Set();
        }

        Task.WaitAll(blocked);
    }
}

namespace PixelPool.Testing;

/// <summary>Runs code on several threads of their own that start together.</summary>
internal static class Simultaneously
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan s_tick = TimeSpan.FromSeconds(1);

    /// <summary>Calls <paramref name="body"/> with 0 to <paramref name="threads"/> − 1, on a thread each; throws what the first one threw.</summary>
    public static void Run(int threads, Action<int> body) => Run(threads, s_timeLimit, body);

    /// <summary>As <see cref="Run(int, Action{int})"/>, with a time limit of its own.</summary>
    public static void Run(int threads, TimeSpan timeLimit, Action<int> body)
    {
        TimeProvider time = TimeProvider.System;
        long started = time.GetTimestamp();
        using var start = new Barrier(threads);
        Exception? failure = null;
        var running = new Thread[threads];
        for (int i = 0; i < threads; i++)
        {
            int index = i;
            running[i] = new Thread(() =>
            {
                try
                {
                    start.SignalAndWait();
                    body(index);
                }
#pragma warning disable CA1031 // rethrown on the thread of the test
                catch (Exception e)
                {
                    Interlocked.CompareExchange(ref failure, e, null);
                }
#pragma warning restore CA1031
            })
            {
                IsBackground = true,
            };
            running[i].Start();
        }

        foreach (Thread thread in running)
        {
            // One that failed may have left the others waiting for it.
            while (!thread.Join(s_tick) && Volatile.Read(ref failure) is null)
            {
                Assert.True(time.GetElapsedTime(started) < timeLimit, "a thread hangs");
            }
        }

        if (failure is not null)
        {
            throw new InvalidOperationException($"A thread failed: {failure.Message}", failure);
        }
    }
}

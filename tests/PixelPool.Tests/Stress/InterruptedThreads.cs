using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Stress;

/// <summary>Threads that work while somebody interrupts them at any moment (<see cref="Thread.Interrupt"/>).</summary>
internal static class InterruptedThreads
{
    /// <summary>Works on several threads until the time is over, and interrupts them all the time; then lets each of them end without interrupts.</summary>
    /// <param name="threads">How many.</param>
    /// <param name="time">How long.</param>
    /// <param name="work">One piece of work, again and again; it may throw <see cref="ThreadInterruptedException"/> where it promises nothing else.</param>
    /// <param name="end">Called once on each thread at its end.</param>
    /// <returns>How often a thread was interrupted.</returns>
    public static long Run(int threads, TimeSpan time, Action<int> work, Action<int>? end = null)
    {
        long began = 0;
        var working = new Thread?[threads];
        int ended = 0;
        long interrupts = 0;
        using var quiet = new ManualResetEventSlim();
        Simultaneously.Run(threads + 1, time + TimeSpan.FromMinutes(2), thread =>
        {
            if (thread == threads)
            {
                var random = new Random(threads);
                while (Volatile.Read(ref ended) != threads)
                {
                    Volatile.Read(ref working[random.Next(threads)])?.Interrupt();
                    interrupts++;
                    Thread.SpinWait(random.Next(2000));
                }

                quiet.Set();
                return;
            }

            // When all have started: a busy machine may take long for that.
            Interlocked.CompareExchange(ref began, TimeProvider.System.GetTimestamp(), 0);
            Volatile.Write(ref working[thread], Thread.CurrentThread);
            try
            {
                while (TimeProvider.System.GetElapsedTime(Volatile.Read(ref began)) < time)
                {
                    try
                    {
                        work(thread);
                    }
                    catch (ThreadInterruptedException)
                    {
                    }
                }
            }
            finally
            {
                Volatile.Write(ref working[thread], null);
                Interlocked.Increment(ref ended);
                AwaitQuietly(quiet);
            }

            end?.Invoke(thread);
        });
        return interrupts;
    }

    /// <summary>Does something that must be done whatever interrupts it.</summary>
    public static void Persist(Action action)
    {
        while (true)
        {
            try
            {
                action();
                return;
            }
            catch (ThreadInterruptedException)
            {
            }
        }
    }

    // The last interrupts may come late: after this none is left.
    private static void AwaitQuietly(ManualResetEventSlim quiet)
    {
        Persist(quiet.Wait);
        Persist(static () => Thread.CurrentThread.Join(0));
    }
}

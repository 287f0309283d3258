namespace PixelPool.Tests.Threading;

/// <summary>Threads that run an action again and again when they are told to, and of which it is known whether they sleep in it.</summary>
internal sealed class SleepingCrew : IDisposable
{
    private readonly Thread[] _threads;
    private readonly int[] _started;
    private readonly CountdownEvent _done;
    private readonly Barrier _next;
    private Exception? _failure;
    private volatile bool _over;
    private int _round;

    public SleepingCrew(int threads, Action action)
    {
        _started = new int[threads];
        _done = new CountdownEvent(threads);
        _next = new Barrier(threads + 1);
        _threads = new Thread[threads];
        for (int i = 0; i < threads; i++)
        {
            int index = i;
            _threads[i] = new Thread(() => Work(index, action)) { IsBackground = true };
            _threads[i].Start();
        }
    }

    /// <summary>Starts the action on every thread; returns when all of them sleep in it.</summary>
    public void SendToSleep(TimeSpan timeLimit)
    {
        _done.Reset();
        _round++;
        _next.SignalAndWait();
        long started = TimeProvider.System.GetTimestamp();
        for (int i = 0; i < _threads.Length; i++)
        {
            // Between the mark and the action nothing else could put it to sleep.
            while (Volatile.Read(ref _started[i]) != _round || (_threads[i].ThreadState & ThreadState.WaitSleepJoin) == 0)
            {
                Assert.True(TimeProvider.System.GetElapsedTime(started) < timeLimit, "a thread does not go to sleep");
                Thread.Yield();
            }
        }
    }

    /// <summary>Waits until the action has ended on every thread.</summary>
    public void AwaitDone(TimeSpan timeLimit)
    {
        Assert.True(_done.Wait(timeLimit), "a thread was not woken");
        Assert.Null(_failure);
    }

    public void Interrupt(int index) => _threads[index].Interrupt();

    public void Dispose()
    {
        // Those that hang are left behind: the test has failed then.
        _over = true;
        if (_done.IsSet || _round == 0)
        {
            _next.SignalAndWait();
            foreach (Thread thread in _threads)
            {
                thread.Join();
            }

            _next.Dispose();
            _done.Dispose();
        }

    }

    private void Work(int index, Action action)
    {
        while (true)
        {
            _next.SignalAndWait();
            if (_over)
            {
                return;
            }

            try
            {
                Volatile.Write(ref _started[index], _round);
                action();
            }
#pragma warning disable CA1031 // shown by the thread of the test
            catch (Exception e)
            {
                Interlocked.CompareExchange(ref _failure, e, null);
            }
#pragma warning restore CA1031

            _done.Signal();
        }
    }
}

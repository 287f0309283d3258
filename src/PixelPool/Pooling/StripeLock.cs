using System.Runtime.CompilerServices;

namespace PixelPool.Pooling;

/// <summary>
/// The lock of one stripe: a word among the fields that it guards, on a cache line that no other stripe writes. Not recursive. Who finds it taken
/// spins for about as long as a rent takes, then sleeps.
/// </summary>
/// <remarks>
/// A monitor or a <c>System.Threading.Lock</c> is an object, or an entry of a table, of its own: the collector and the runtime decide what it shares a
/// cache line with, and two stripes whose locks share one rent no faster on two threads than on one. The three states are those of a futex mutex
/// (Drepper, "Futexes Are Tricky", 2011): whoever has slept takes the lock as contended, so that it wakes the next one when it leaves.
/// </remarks>
internal struct StripeLock()
{
#if NET
    private const int Free = 0;
    private const int Taken = 1;
    private const int Contended = 2;

    // A rent holds the lock for some ten nanoseconds: who does not get it within about a microsecond waits for a thread that does not run.
    private const int Spins = 16;

    private readonly object _sleepers = new();
    private int _state;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        if (Interlocked.CompareExchange(ref _state, Taken, Free) != Free)
        {
            EnterContended();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Exit()
    {
        if (Interlocked.Exchange(ref _state, Free) == Contended)
        {
            Wake();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EnterContended()
    {
        for (int i = 0; i < Spins; i++)
        {
            Thread.SpinWait(8);
            if (Volatile.Read(ref _state) == Free && Interlocked.CompareExchange(ref _state, Taken, Free) == Free)
            {
                return;
            }
        }

        // An interrupt waits until the thread sleeps elsewhere: the pulse it was given must not be lost.
        bool interrupted = false;
        while (!TrySleepUntilTaken())
        {
            interrupted = true;
        }

        if (interrupted)
        {
            Thread.CurrentThread.Interrupt();
        }
    }

    private bool TrySleepUntilTaken()
    {
        try
        {
            lock (_sleepers)
            {
                while (Interlocked.Exchange(ref _state, Contended) != Free)
                {
                    Monitor.Wait(_sleepers);
                }
            }

            return true;
        }
        catch (ThreadInterruptedException)
        {
            return false;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void Wake()
    {
        bool interrupted = false;
        while (!TryPulse())
        {
            interrupted = true;
        }

        if (interrupted)
        {
            Thread.CurrentThread.Interrupt();
        }
    }

    private readonly bool TryPulse()
    {
        try
        {
            lock (_sleepers)
            {
                Monitor.Pulse(_sleepers);
            }

            return true;
        }
        catch (ThreadInterruptedException)
        {
            return false;
        }
    }
#else
    // Threads can be aborted on .NET Framework, at any instruction: only a monitor is safe from that.
    private readonly object _gate = new();

    public void Enter() => Monitor.Enter(_gate);

    public void Exit() => Monitor.Exit(_gate);
#endif
}

using System.Runtime.CompilerServices;

namespace PixelPool.Threading;

/// <summary>
/// The usual lock of the library: a word among the fields that it guards, such as those of one stripe, on a cache line that no other stripe writes.
/// Not recursive. Who finds it taken spins for about as long as a rent takes, then sleeps.
/// </summary>
/// <remarks>
/// <para>
/// Invariant: <see cref="Thread.Interrupt"/> never throws from here, on any target. An interrupt that comes meanwhile is kept for the next time the thread blocks
/// elsewhere. So no return, release, grant or cancellation can be stopped half-way: they take no other locks. (An aborted thread of .NET Framework can be
/// stopped anywhere. Nothing here is safe from that.)
/// </para>
/// <para>
/// A monitor or a <c>System.Threading.Lock</c> can be interrupted. It also is an object, or an entry of a table, of its own: the collector and the runtime decide
/// what it shares a cache line with, and two stripes whose locks share one rent no faster on two threads than on one. The three states are those of a
/// futex mutex (Drepper, "Futexes Are Tricky", 2011): whoever has slept takes the lock as contended, so that it wakes the next one when it leaves.
/// </para>
/// </remarks>
internal unsafe struct StripeLock
{
    private const int Free = 0;
    private const int Taken = 1;
    private const int Contended = 2;

    // A rent holds the lock for some ten nanoseconds: who does not get it within about a microsecond waits for a thread that does not run.
    private const int Spins = 16;

    private int _state;

    /// <param name="sleepers">Where threads sleep that wait for the lock: always the same object, which nobody else locks.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter(object sleepers)
    {
        if (Interlocked.CompareExchange(ref _state, Taken, Free) != Free)
        {
            EnterContended(sleepers);
        }
    }

    /// <summary>Takes the lock if it is free.</summary>
    public bool TryEnter() => Interlocked.CompareExchange(ref _state, Taken, Free) == Free;

    /// <param name="sleepers">As for <see cref="Enter"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Exit(object sleepers)
    {
        if (Interlocked.Exchange(ref _state, Free) == Contended)
        {
            Sleepers.WakeOne(sleepers);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EnterContended(object sleepers)
    {
        for (int i = 0; i < Spins; i++)
        {
            Thread.SpinWait(8);
            if (Volatile.Read(ref _state) == Free && Interlocked.CompareExchange(ref _state, Taken, Free) == Free)
            {
                return;
            }
        }

        Sleepers.SleepWhile(sleepers, ref _state, &IsTaken);
    }

    // If it is not, the caller has taken it now.
    private static bool IsTaken(ref int state) => Interlocked.Exchange(ref state, Contended) != Free;
}

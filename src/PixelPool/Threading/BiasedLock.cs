using System.Runtime.CompilerServices;

namespace PixelPool.Threading;

/// <summary>
/// A lock that one thread, its owner, takes and leaves with plain loads and stores. Any other thread pays for that: it closes the gate, issues a barrier for the
/// whole process, and waits until the owner is outside. The owner never waits: at a closed gate it goes another way.
/// </summary>
/// <remarks>
/// <para>
/// Invariant: between <see cref="AwaitOwner"/> and <see cref="Open"/> the owner is outside. The owner stores that it is inside and then looks whether the gate is closed. The
/// other thread stores that it is closed, has all processors pass a barrier, and then looks whether the owner is inside. The owner's look came after the barrier: then it sees the closed
/// gate. Or it came before: then its store came before, too, and is seen. This is Dekker's algorithm with the barrier of one side left to the other one
/// ("asymmetric barriers", as in <c>membarrier(2)</c>).
/// </para>
/// <para>Where there is no such barrier, the owner passes one itself, and a part of the gain is lost.</para>
/// <para>Other threads must come one at a time. Like <see cref="StripeLock"/> it never throws what an interrupt causes.</para>
/// </remarks>
internal unsafe struct BiasedLock
{
    // The owner is inside for some nanoseconds: who finds it there for longer waits for a thread that does not run.
    private const int Spins = 16;

    private const int IsClosedNow = 1;
    private const int IsAwaited = 2;

    private int _inside;
    private int _closed;

    /// <summary>The owner goes in.</summary>
    /// <returns>False: the gate is closed. The owner has to leave it at once.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEnter()
    {
        Volatile.Write(ref _inside, 1);
        if (!ProcessBarrier.IsSupported)
        {
            Interlocked.MemoryBarrier();
        }

        return Volatile.Read(ref _closed) == 0;
    }

    /// <summary>The owner leaves.</summary>
    /// <returns>True when another thread sleeps until then: the owner has to <see cref="Wake"/> it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Exit()
    {
        Volatile.Write(ref _inside, 0);
        if (!ProcessBarrier.IsSupported)
        {
            Interlocked.MemoryBarrier();
        }

        return Volatile.Read(ref _closed) == IsAwaited;
    }

    /// <summary>Wakes the thread that sleeps until the owner has left.</summary>
    /// <param name="sleepers">Where it sleeps: always the same object, which nobody else locks.</param>
    public static void Wake(object sleepers) => Sleepers.WakeOne(sleepers);

    /// <summary>Another thread closes the gate. The owner may still be inside.</summary>
    public void Close() => Volatile.Write(ref _closed, IsClosedNow);

    /// <summary>After a <see cref="ProcessBarrier"/>: waits until the owner is outside.</summary>
    public void AwaitOwner(object sleepers)
    {
        for (int i = 0; i < Spins && Volatile.Read(ref _inside) != 0; i++)
        {
            Thread.SpinWait(8);
        }

        if (Volatile.Read(ref _inside) != 0)
        {
            SleepUntilLeft(sleepers);
        }
    }

    /// <summary>The other thread opens the gate again.</summary>
    public void Open() => Volatile.Write(ref _closed, 0);

    // The owner wakes only those who say that they sleep: to be refused at a gate that stays closed costs it nothing. The second barrier prevents a lost
    // wake-up: either the owner sees that somebody sleeps when it leaves, or it is seen outside.
    private void SleepUntilLeft(object sleepers)
    {
        Volatile.Write(ref _closed, IsAwaited);
        ProcessBarrier.Issue();
        Sleepers.SleepWhile(sleepers, ref _inside, &IsInside);
        Volatile.Write(ref _closed, IsClosedNow);
    }

    private static bool IsInside(ref int inside) => Volatile.Read(ref inside) != 0;
}

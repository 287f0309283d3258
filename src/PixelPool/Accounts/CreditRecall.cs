using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.Accounts;

/// <summary>
/// Whether a budget needs to know exactly what is rented: then stripes keep no credit. Every return reads it and it hardly ever changes, so it has a cache line of
/// its own.
/// </summary>
internal sealed class CreditRecall : CacheLineApart
{
    private int _running;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    public bool IsRunning
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref _running) != 0;
    }

    /// <summary>From now on nothing is kept. What is kept already is to be taken; any number of recalls may run at once.</summary>
    public void Begin() => Interlocked.Increment(ref _running);

    public void End() => Interlocked.Decrement(ref _running);
}

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Pooling;

namespace PixelPool.Lifetime;

/// <summary>
/// Owns what one rent took, until the last of its references is released: the image's own one, and those of its views, pins and running
/// delegates. Guards are pooled and stay registered for finalization while they are parked, so that a rent costs no registration and only a
/// leak costs a finalizer run.
/// </summary>
/// <remarks>
/// Invariants. The state is one word: the version in its upper half, the number of references in its lower half. A version names one rent: it
/// grows when the last reference is released, so a stale handle, or a second return, is one failed comparison (it would take 2³² rents of one
/// guard to fool it). Who holds a reference owns the memory's validity; who takes the count to zero, and nobody else, returns the memory.
/// The finalizer runs only when neither a handle nor the depot reaches the guard.
/// </remarks>
internal sealed partial class LifetimeGuard
{
    private readonly UniformUnmanagedMemoryPool _pool;

    // A short weak handle on the guard itself: the collector clears it when it finds the guard unreachable, before any finalizer runs. So it
    // tells whether a return comes from a finalizer that still reached the guard, while the guard's own finalizer is already due.
    private GCHandle _reachable;
    private long _state;

    public LifetimeGuard(UniformUnmanagedMemoryPool pool, int blockCapacity)
    {
        _pool = pool;
        _blocks = new nint[blockCapacity + s_tableSlack];
        _reachable = GCHandle.Alloc(this, GCHandleType.Weak);
    }

    ~LifetimeGuard()
    {
        // Against other threads, too: a finalizer of the user may have handed the image to one that is disposing it now.
        long state = Volatile.Read(ref _state);
        while (References(state) != 0)
        {
            long seen = Interlocked.CompareExchange(ref _state, NextVersion(state), state);
            if (seen == state)
            {
                ReturnLeaked();
                return;
            }

            state = seen;
        }

        // Nothing to return: it was parked in a depot that died, or is being returned right now. Whoever lets go of it frees its handle.
    }

    /// <summary>Names the running rent.</summary>
    public uint Version => (uint)(Volatile.Read(ref _state) >>> 32);

    /// <summary>True when the collector has found the guard unreachable and its finalizer is still to run: it must not be used again.</summary>
    public bool IsFinalizationPending => !_reachable.IsAllocated || _reachable.Target is null;

    /// <summary>True while the rent with this version holds its memory.</summary>
    public bool IsCurrent(uint version)
    {
        long state = Volatile.Read(ref _state);
        return (uint)(state >>> 32) == version && References(state) != 0;
    }

    /// <summary>Adds a reference to the rent with this version.</summary>
    /// <returns>False when that rent has ended.</returns>
    public bool TryAcquire(uint version)
    {
        long state = Volatile.Read(ref _state);
        while ((uint)(state >>> 32) == version && References(state) != 0)
        {
            long seen = Interlocked.CompareExchange(ref _state, state + 1, state);
            if (seen == state)
            {
                return true;
            }

            state = seen;
        }

        return false;
    }

    /// <summary>Releases one reference; the last one returns the memory.</summary>
    /// <returns>False when the rent with this version has ended already: nothing was done.</returns>
    public bool TryRelease(uint version)
    {
        long state = Volatile.Read(ref _state);
        while ((uint)(state >>> 32) == version && References(state) != 0)
        {
            bool last = References(state) == 1;
            long seen = Interlocked.CompareExchange(ref _state, last ? NextVersion(state) : state - 1, state);
            if (seen == state)
            {
                if (last)
                {
                    ReturnMemory();
                }

                return true;
            }

            state = seen;
        }

        return false;
    }

    /// <summary>Ends the life of a guard that holds nothing: its depot is closed, or can not park it.</summary>
    public void Retire()
    {
#pragma warning disable CA1816 // not a Dispose: guards are owned by their depot
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
        FreeReachable();
    }

    private void ReturnLeaked()
    {
        if (!_pool.IsDisposed)
        {
            // It may be rented again: whole, as if it was new.
            FreeReachable();
            GC.ReRegisterForFinalize(this);
            _reachable = GCHandle.Alloc(this, GCHandleType.Weak);
        }

        _pool.CountLeak(HeldBytes);
        ReturnMemory();
    }

    // Starts a rent with one reference. The caller is the only one that knows the guard; from here on its finalizer returns the memory.
    private void Open() => Volatile.Write(ref _state, Volatile.Read(ref _state) + 1);

    private void FreeReachable()
    {
        if (_reachable.IsAllocated)
        {
            _reachable.Free();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint References(long state) => (uint)state;

    private static long NextVersion(long state) => ((state >>> 32) + 1) << 32;
}

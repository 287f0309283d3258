using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Diagnostics;
using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>
/// Owns what one rent took, until the last of its references is released: the image's own one, and those of its views, pins and running
/// delegates. Guards are pooled and stay registered for finalization while they are parked, so that a rent costs no registration and only a
/// leak costs a finalizer run.
/// </summary>
/// <remarks>
/// Invariants. The state is one word: the version in its upper half, the number of references in its lower half, and above them one bit that says that
/// the handle which was rented is not disposed yet. A version names one rent: it grows when the last reference is released, so a stale handle, or a
/// second return, is one failed comparison (it would take 2³² rents of one guard to fool it). Guards begin at versions that are far apart, so that a handle
/// that was torn, with the guard of one rent and the version of another, mostly fails, too. Who holds a reference owns the memory's validity; who
/// takes the count to zero, and nobody else, gives the memory back to the tier it came from. The finalizer runs only when neither a handle nor the depot reaches
/// the guard.
/// </remarks>
internal sealed partial class LifetimeGuard : CacheLineApart
{
    /// <summary>What the rented handle asks for: it was not disposed. It can be copied, so it cannot remember that itself.</summary>
    public const int Owner = int.MinValue;

    /// <summary>What other holders of a reference ask for: any reference.</summary>
    public const int Reference = int.MaxValue;

    private const long OwnerAndReference = 0x8000_0001;

    // Far from where a further one would be the owner's.
    private const int MostReferences = 1 << 30;

    // The golden ratio's part of 2³²: the first versions of any number of guards lie as far apart as they can.
    private const int VersionStep = unchecked((int)0x9E37_79B9);

    private static int s_firstVersion;

    private long _state;

    // The last field: structures come behind all others.
    private ColdGuardFields _rare;

    /// <param name="registry">All guards of the pool.</param>
    public LifetimeGuard(GuardRegistry registry)
    {
        _rare.Registry = registry;
        _rare.Place = new LinkedListNode<GCHandle>(default);
        _state = (long)Interlocked.Add(ref s_firstVersion, VersionStep) << 32;
        _flags = registry.ClearsOnReturn ? RentFlags.Clear : RentFlags.None;
        _rare.Reachable = registry.Add(this, _rare.Place);
    }

    ~LifetimeGuard()
    {
        // Against other threads, too: a finalizer of the user may have handed the image to one that is disposing it now.
        for (long state = Volatile.Read(ref _state); References(state) != 0; state = Volatile.Read(ref _state))
        {
            // Read before: once the memory is back, the guard may belong to another rent.
            RentFacts rent = ReadRent(state);
            if (TryExchange(state, NextVersion(state)))
            {
                ReturnLeaked(in rent);
                return;
            }
        }

        // Nothing to return: it was parked in a depot that died, or is being returned right now. Whoever lets go of it frees its handle.
    }

    /// <summary>All guards of the pool.</summary>
    public GuardRegistry Registry => _rare.Registry;

    /// <summary>Names the running rent.</summary>
    public uint Version => (uint)(Volatile.Read(ref _state) >>> 32);

    /// <summary>True when the collector has found the guard unreachable and its finalizer is still to run: it must not be used again.</summary>
    public bool IsFinalizationPending
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => !_rare.Reachable.IsAllocated || _rare.Reachable.Target is null;
    }

    /// <summary>True while the rent with this version has what is asked for: its <see cref="Owner"/> or a <see cref="Reference"/>.</summary>
    public bool IsCurrent(uint version, int required = Reference) => IsState(Volatile.Read(ref _state), version, required);

    /// <summary>Adds a reference to the rent with this version, if it has what is asked for: its <see cref="Owner"/> or a <see cref="Reference"/>.</summary>
    /// <returns>False when that is gone.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAcquire(uint version, int required = Reference)
    {
        for (long state = Volatile.Read(ref _state); IsState(state, version, required); state = Volatile.Read(ref _state))
        {
            if (TryExchange(state, state + 1))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Releases one reference; the last one returns the memory.</summary>
    /// <returns>False when the rent with this version has ended already: nothing was done.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRelease(uint version)
    {
        // Nearly always there is another one: the owner's.
        long state = Volatile.Read(ref _state);
        return (IsState(state, version, Reference) && References(state) > 1 && TryExchange(state, state - 1)) || TryReleaseSlowly(version, Reference, 1);
    }

    /// <summary>Releases the reference of the handle that was rented; if it is the last one the memory is returned.</summary>
    /// <returns>False when that was done before, or the rent has ended: nothing was done.</returns>
    public bool TryReleaseOwner(uint version) => TryReleaseSlowly(version, Owner, OwnerAndReference);

    /// <summary>As <see cref="TryReleaseOwner(uint)"/>, for a caller that gives the memory back itself.</summary>
    /// <param name="version">That of the rent.</param>
    /// <param name="last">Whether it was the last reference. Then the caller, and nobody else, has to <see cref="GiveBack"/>.</param>
    public bool TryReleaseOwner(uint version, out bool last) => TryRelease(version, Owner, OwnerAndReference, out last);

    /// <summary>Releases the reference of the handle that was rented, if it is the only one. Then the caller, and nobody else, has to <see cref="GiveBack"/>.</summary>
    /// <param name="version">That of the rent.</param>
    /// <returns>False when there are others, or that was done before, or the rent has ended: nothing was done.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReleaseLast(uint version)
    {
        long none = (long)version << 32;
        return TryExchange(none + OwnerAndReference, none + (1L << 32));
    }

    /// <summary>Begins a rent of what the guard holds, with one reference: the owner's. The caller is the only one that knows the guard; from here on its finalizer returns the memory.</summary>
    public void Open() => Volatile.Write(ref _state, _state + OwnerAndReference);

    /// <summary>Ends the life of a guard that holds nothing: its depot is closed, or cannot park it.</summary>
    public void Retire()
    {
#pragma warning disable CA1816 // not a Dispose: guards are owned by their depot
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
        _rare.Reachable = default;
        _rare.Registry.Remove(_rare.Place);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReleaseSlowly(uint version, int required, long amount)
    {
        bool released = TryRelease(version, required, amount, out bool last);
        if (last)
        {
            GiveBack();
        }

        return released;
    }

    private bool TryRelease(uint version, int required, long amount, out bool last)
    {
        for (long state = Volatile.Read(ref _state); IsState(state, version, required); state = Volatile.Read(ref _state))
        {
            last = References(state) == 1;
            if (TryExchange(state, last ? NextVersion(state) : state - amount))
            {
                return true;
            }
        }

        last = false;
        return false;
    }

    private void ReturnLeaked(in RentFacts rent)
    {
        // It is not used again: its handle tells whoever would park it, and something of the application may reach it still.
        GuardRegistry registry = _rare.Registry;
        registry.Accounts.CountLeak(rent.Kind == RentKind.Reservation ? 0 : rent.Bytes);
        try
        {
            GiveBack();
        }
#pragma warning disable CA1031 // The application's code (an ArrayPool, a release of wrapped memory) threw. The accounts are right, and nothing may end the process from here.
        catch (Exception failure)
        {
            registry.Listener.OnApplicationFailed("Dispose", failure);
        }
#pragma warning restore CA1031

        registry.Listener.OnLeaked(in rent);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int References(long state) => (int)state & Reference;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsState(long state, uint version, int required) => (uint)(state >>> 32) == version && ((int)state & required) != 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryExchange(long from, long to) => Interlocked.CompareExchange(ref _state, to, from) == from;

    private static long NextVersion(long state) => ((state >>> 32) + 1) << 32;
}

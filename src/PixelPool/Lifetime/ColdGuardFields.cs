using System.Runtime.InteropServices;
using PixelPool.Budgets;

namespace PixelPool.Lifetime;

/// <summary>
/// What a guard always has, and what few rents have. It is hardly ever written, but by rents of scopes under a budget, so it lies at the end of the guard: there it keeps what every rent writes off the
/// cache lines of the next object, and little padding is needed for that.
/// </summary>
internal struct ColdGuardFields
{
    /// <summary>The next one of those that were taken together from a cache.</summary>
    public LifetimeGuard? NextTaken;

    /// <summary>All guards of the pool.</summary>
    public GuardRegistry Registry;

    /// <summary>The place of the guard there.</summary>
    public LinkedListNode<GCHandle> Place;

    /// <summary>Which budget was charged, if it is another one than the allocator's.</summary>
    public MemoryBudget? Payee;

    /// <summary>What is remembered of the rent.</summary>
    public RentTrace? Trace;

    /// <summary>What is remembered of its views and pins.</summary>
    public HoldTraces? Holds;

    /// <summary>What the rent is for.</summary>
    public string? Tag;

    /// <summary>The scope that rented last.</summary>
    public RentPayer? Scope;

    /// <summary>The version of its rent: another one is not the scope's.</summary>
    public uint ScopeVersion;

    /// <summary>What the scope of the last lease knows of it.</summary>
    public ScopedRent? Scoped;

    /// <summary>
    /// A short weak handle on the guard itself: the collector clears it when it finds the guard unreachable, before any finalizer runs. So it tells whether a return
    /// comes from a finalizer that still reached the guard, while the guard's own finalizer is already due. The registry owns it.
    /// </summary>
    public GCHandle Reachable;

    /// <summary>A handle that pins the array, or 0.</summary>
    public nint Pin;

    /// <summary>Bytes that may be written, of every piece but the last one.</summary>
    public long UsedBlockBytes;

    /// <summary>Bytes that may be written, of the last piece.</summary>
    public long UsedLastBytes;
}

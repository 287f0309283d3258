using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>
/// Everything that is asked of an allocator: taken from a tier at once, if the budget has room for it; otherwise refused, or served later. Who asks is the allocator
/// itself (null), or a scope.
/// </summary>
/// <remarks>What a rent does here is compiled into the methods of the allocator: without that, passing eight arguments on costs a rent 3 to 5 ns.</remarks>
internal sealed partial class MemoryRequests : IDisposable
{
    private readonly BlockPool _pool;
    private readonly MemoryTiers _tiers;
    private readonly CachedMemory _cached;
    private readonly GuardedTier? _guarded;
    private readonly BudgetRequests _waiting;

    /// <param name="options">Those of the allocator.</param>
    /// <param name="guards">All guards of the allocator, and its accounts.</param>
    /// <param name="name">The allocator's name.</param>
    /// <param name="owner">The type that exceptions name when it was disposed.</param>
    public MemoryRequests(PixelAllocatorOptions options, GuardRegistry guards, string name, string owner)
    {
        // What an awaited request needs once in a process. An initializer that failed has failed for good: so there is room for it.
        GC.KeepAlive(new byte[1024]);
        default(ManualResetValueTaskSourceCore<bool>).SetResult(true);
        Budget = options.MaxRentedBytes is { } limit ? new MemoryBudget(limit, name, guards.Accounts) : null;
        _pool = new BlockPool(options, guards, Budget);
        _tiers = new MemoryTiers(_pool, Budget, options, owner);
        _cached = new CachedMemory(_pool, options, _tiers.Small);
        _guarded = options.GuardedRentSampling == 0 ? null : new GuardedTier(_pool, Budget, options);
        _waiting = new BudgetRequests(options, guards.Accounts, owner, Budget, IsDeadlocked, OnLongWaits);
        guards.Requests = this;
    }

    /// <summary>What a rent was asked of.</summary>
    public static MemoryRequests Of(LifetimeGuard guard) => (MemoryRequests)guard.Registry.Requests!;

    /// <summary>What pays when the allocator itself asks, if anything does.</summary>
    public readonly MemoryBudget? Budget;

    /// <summary>What pays for such a request, if anything does.</summary>
    public MemoryBudget? BudgetOf(RentPayer? payer) => payer is null ? Budget : payer.Budget;

    public bool IsDisposed => _pool.IsDisposed;

    /// <summary>What all tiers hold and did so far, with the budget.</summary>
    public PixelPoolStatistics GetStatistics() => _waiting.GetStatistics();

    /// <summary>The requests that wait now, the longest first.</summary>
    public WaitFacts[] ListWaiting() => Array.ConvertAll(_waiting.ListWaits(), Describe);

    /// <summary>Takes memory for an image; waits for the budget as long as the options say.</summary>
    /// <returns>A guard with one reference.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard TakeImage(RentPayer? payer, int width, int height, int pixelBytes, AllocationOptions options, out PixelLayout layout) =>
        TryTakeCached(payer, width, height, pixelBytes, options, out layout)
        ?? TryTakeOther(payer, width, height, pixelBytes, options, out layout, out long neededBytes)
        ?? WaitForImage(payer, width, height, pixelBytes, options, neededBytes, out layout);

    /// <summary>Takes memory for an image, if the budget has room for it.</summary>
    /// <returns>A guard with one reference, or null.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryTakeImage(
        RentPayer? payer, int width, int height, int pixelBytes, AllocationOptions options, out PixelLayout layout, out long neededBytes)
    {
        neededBytes = 0;
        return TryTakeCached(payer, width, height, pixelBytes, options, out layout)
            ?? TryTakeOther(payer, width, height, pixelBytes, options, out layout, out neededBytes);
    }

    /// <summary>Takes contiguous memory; waits for the budget as long as the options say.</summary>
    /// <returns>A guard with one reference.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard TakeMemory(RentPayer? payer, long bytes, AllocationOptions options) =>
        TryTakeMemory(payer, bytes, options, out long neededBytes) ?? WaitForMemory(payer, bytes, options, neededBytes);

    /// <summary>Takes contiguous memory, if the budget has room for it.</summary>
    /// <returns>A guard with one reference, or null.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryTakeMemory(RentPayer? payer, long bytes, AllocationOptions options, out long neededBytes)
    {
        neededBytes = 0;
        return (_guarded is null ? null : Begin(payer, _guarded.TryTakeMemory(bytes, options, BudgetOf(payer))))
            ?? (IsOwn(payer) ? Begin(payer, _cached.TryTakeMemory(bytes, options)) : null)
            ?? Begin(payer, _tiers.TryTakeMemory(bytes, options, BudgetOf(payer), out neededBytes));
    }

    /// <summary>Takes one whole block for the allocator itself; waits for the budget as long as the options say.</summary>
    /// <param name="makeRoom">Called from time to time while it waits.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>A guard with one reference.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled while it waited.</exception>
    public LifetimeGuard TakeBlock(Action makeRoom, CancellationToken cancellationToken) =>
        Begin(null, _tiers.TryTakeBlock(Budget, out long neededBytes))
        ?? Serve(null, neededBytes, grant => (_tiers.TryTakeBlock(grant, out long needed), needed), pieces: null, makeRoom, cancellationToken);

    /// <summary>Takes one whole block for the allocator itself, if the budget has room for it.</summary>
    /// <returns>A guard with one reference, or null.</returns>
    public LifetimeGuard? TryTakeBlock() => Begin(null, _tiers.TryTakeBlock(Budget, out _));

    /// <summary>Charges bytes for which no memory is got here; waits for the budget as long as the options say.</summary>
    /// <returns>A guard with one reference.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room.</exception>
    public LifetimeGuard TakeCharge(RentPayer? payer, long bytes, bool reserve) =>
        TryTakeCharge(payer, bytes, reserve) ?? Serve(payer, bytes, grant => (_tiers.TryCharge(bytes, grant, reserve), bytes));

    /// <summary>Charges bytes for which no memory is got here, if the budget has room for them.</summary>
    /// <returns>A guard with one reference, or null.</returns>
    public LifetimeGuard? TryTakeCharge(RentPayer? payer, long bytes, bool reserve) =>
        Begin(payer, _tiers.TryCharge(bytes, BudgetOf(payer), reserve));

    /// <summary>Takes memory of somebody else; waits for the budget as long as the options say, if it is charged.</summary>
    /// <returns>A guard with one reference. Its end releases nothing before <see cref="ExternalTier.TakeOver"/>.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room.</exception>
    public LifetimeGuard Wrap(nint address, long bytes, bool charge) =>
        Begin(null, _tiers.TryWrap(address, bytes, charge ? Budget : null, charge)) ?? Serve(null, bytes, grant => (_tiers.TryWrap(address, bytes, grant, charge), bytes));

    /// <summary>Bytes that an image would hold: see <see cref="MemoryTiers.GetHeldBytes"/>.</summary>
    public long GetHeldBytes(int width, int height, int pixelBytes, AllocationOptions options) => _tiers.GetHeldBytes(width, height, pixelBytes, options);

    /// <summary>Gives idle memory back to the system until at most so many bytes stay idle.</summary>
    /// <returns>Bytes given back.</returns>
    public long TrimTo(long idleBytes) => _pool.TrimTo(idleBytes);

    /// <summary>The budget has no room for a request that does not wait: that is counted and told.</summary>
    public void Refuse(RentPayer? payer, long bytes) => _waiting.Refuse(BudgetOf(payer)!.RefusedBy(bytes), bytes);

    /// <summary>Refuses what is asked for bit by bit if all of it together can never fit: waiting for the last part would not end.</summary>
    /// <exception cref="PixelBudgetExceededException">The bytes are more than the whole budget.</exception>
    public void RefuseIfTooLarge(RentPayer? payer, long bytes)
    {
        if (BudgetOf(payer) is { } budget && !budget.CanEverHold(bytes))
        {
            throw _waiting.Explain(budget.RefusedBy(bytes), bytes);
        }
    }

    /// <summary>A scope was disposed: its requests end.</summary>
    public void EndThoseOfDisposed() => _waiting.EndThoseOfDisposed();

    /// <summary>What the application gets for a guard. If it cannot be made, the guard lets go.</summary>
    public static THandle Hand<THandle>(LifetimeGuard guard, Func<LifetimeGuard, THandle> make)
    {
        // Before: what was made may have ended the rent already, and the guard may belong to another one.
        uint version = guard.Version;
        try
        {
            return make(guard);
        }
        catch
        {
            guard.TryReleaseOwner(version);
            throw;
        }
    }

    /// <summary>Gives all idle memory back to the system, and ends renting: requests that wait fail.</summary>
    public void Dispose()
    {
        _pool.Dispose();
        _waiting.Dispose();
    }

    // What the calling thread keeps. It is charged to the allocator's budget.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private LifetimeGuard? TryTakeCached(RentPayer? payer, int width, int height, int pixelBytes, AllocationOptions options, out PixelLayout layout)
    {
        if (_guarded is not null && Begin(payer, _guarded.TryTakeImage(width, height, pixelBytes, options, BudgetOf(payer), out layout)) is { } guarded)
        {
            return guarded;
        }

        if (IsOwn(payer) && _cached.MayHave(width, height, pixelBytes))
        {
            return Begin(payer, _cached.TryTakeImage(width, height, pixelBytes, options, out layout));
        }

        layout = default;
        return null;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? TryTakeOther(
        RentPayer? payer, int width, int height, int pixelBytes, AllocationOptions options, out PixelLayout layout, out long neededBytes) =>
        Begin(payer, _tiers.TryTakeImage(width, height, pixelBytes, options, BudgetOf(payer), out layout, out neededBytes));

    private bool IsOwn(RentPayer? payer) => payer is null || payer.Budget == Budget;

    // Whoever wants to know of the rent, is told before it is handed out.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static LifetimeGuard? Begin(RentPayer? payer, LifetimeGuard? guard)
    {
        if (guard is not null && (payer is not null || guard.IsSampled))
        {
            Introduce(payer, guard);
        }

        return guard;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Introduce(RentPayer? payer, LifetimeGuard guard)
    {
        if (payer is not null)
        {
            guard.SetPayer(payer);
        }

        if (guard.IsSampled)
        {
            guard.Sample();
        }
    }
}

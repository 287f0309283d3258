using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

// Requests that the budget has no room for: they wait, and take their memory with what they were granted.
internal sealed partial class MemoryRequests
{
    /// <summary>Takes memory for an image as soon as the budget has room for it. What the application gets is made while the guard can still be given back.</summary>
    /// <remarks>What is captured is only made here: who asks passes a state, because as a rule nothing has to wait.</remarks>
    public ValueTask<THandle> TakeImageAsync<TState, THandle>(
        RentPayer? payer,
        int width,
        int height,
        int pixelBytes,
        AllocationOptions options,
        long neededBytes,
        TState state,
        Func<TState, LifetimeGuard, PixelLayout, THandle> make,
        CancellationToken cancellationToken)
    {
        PixelLayout found = default;
        return ServeAsync(
            payer,
            neededBytes,
            _tiers.PiecesFor(width, height, pixelBytes),
            grant => (_tiers.TryTakeImage(width, height, pixelBytes, options, grant, out found, out long needed), needed),
            guard => make(state, guard, found),
            cancellationToken);
    }

    /// <summary>Takes contiguous memory as soon as the budget has room for it.</summary>
    public ValueTask<THandle> TakeMemoryAsync<TState, THandle>(
        RentPayer? payer, long bytes, AllocationOptions options, long neededBytes, TState state, Func<TState, LifetimeGuard, THandle> make, CancellationToken cancellationToken) =>
        ServeAsync(
            payer, neededBytes, _tiers.PiecesFor(bytes), grant => (_tiers.TryTakeMemory(bytes, options, grant, out long needed), needed), guard => make(state, guard), cancellationToken);

    /// <summary>Reserves bytes as soon as the budget has room for them.</summary>
    public ValueTask<THandle> ReserveAsync<THandle>(RentPayer? payer, long bytes, Func<LifetimeGuard, THandle> make, CancellationToken cancellationToken) =>
        ServeAsync(payer, bytes, pieces: null, grant => (_tiers.TryCharge(bytes, grant, reserve: true), bytes), make, cancellationToken);

    private ValueTask<THandle> ServeAsync<THandle>(
        RentPayer? payer,
        long neededBytes,
        IPieceSource? pieces,
        Func<RentBudget, (LifetimeGuard? Taken, long NeededBytes)> tryTake,
        Func<LifetimeGuard, THandle> make,
        CancellationToken cancellationToken)
    {
        // Who asks is on the stack now. After the wait it is whoever returned the memory.
        RentCaller caller = RememberCaller(payer, neededBytes, pieces, blocksThread: false);
        return _waiting.ServeAsync<THandle>(
            BudgetOf(payer)!,
            neededBytes,
            caller,
            grant =>
            {
                (LifetimeGuard? taken, long needed) = tryTake(grant);
                return Begin(payer, taken) is { } guard ? (Hand(guard, Make), 0) : (default, needed);
            },
            cancellationToken);

        THandle Make(LifetimeGuard guard)
        {
            guard.OnGranted(caller.Trace);
            return make(guard);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard WaitForImage(
        RentPayer? payer, int width, int height, int pixelBytes, AllocationOptions options, long neededBytes, out PixelLayout layout)
    {
        PixelLayout found = default;
        LifetimeGuard guard = Serve(
            payer,
            neededBytes,
            grant => (_tiers.TryTakeImage(width, height, pixelBytes, options, grant, out found, out long needed), needed),
            _tiers.PiecesFor(width, height, pixelBytes));
        layout = found;
        return guard;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard WaitForMemory(RentPayer? payer, long bytes, AllocationOptions options, long neededBytes) =>
        Serve(payer, neededBytes, grant => (_tiers.TryTakeMemory(bytes, options, grant, out long needed), needed), _tiers.PiecesFor(bytes));

    // What RentTimeout promises: waits for the budget and takes what was granted, or throws.
    private LifetimeGuard Serve(
        RentPayer? payer,
        long neededBytes,
        Func<RentBudget, (LifetimeGuard? Taken, long NeededBytes)> tryTake,
        IPieceSource? pieces = null,
        Action? makeRoom = null,
        CancellationToken cancellationToken = default)
    {
        RentCaller Remember() => RememberCaller(payer, neededBytes, pieces, blocksThread: true);
        return Begin(payer, _waiting.Serve(BudgetOf(payer)!, neededBytes, Remember, tryTake, makeRoom, cancellationToken))!;
    }

    private RentCaller RememberCaller(RentPayer? payer, long neededBytes, IPieceSource? pieces, bool blocksThread) =>
        new(_pool.Guards, payer, _pool.Guards.Listener.TryTrace(isRare: neededBytes > BudgetOf(payer)!.SmallBytes), blocksThread, pieces);

    private void OnLongWaits(List<(BudgetWait Wait, TimeSpan Waited)> waits, bool isDeadlock) => _pool.Guards.Listener.OnLongWaits(waits.ConvertAll(Describe), ListWaiting, isDeadlock);

    private static WaitFacts Describe((BudgetWait Wait, TimeSpan Waited) entry)
    {
        var caller = (RentCaller)entry.Wait.Caller;
        return new WaitFacts(entry.Wait.Bytes, entry.Waited, entry.Wait.Budget.Description, caller.Tag, caller.Trace);
    }

    // Whether all that is held was rented by threads, or through scopes, that wait themselves, for what does not fit.
    private bool IsDeadlocked()
    {
        BudgetWait[] waits = _waiting.ToArray();
        List<LifetimeGuard> rented = _pool.Guards.Reachable();
        rented.RemoveAll(HoldsNothing);
        return !Array.Exists(waits, GoesOn) && rented.Count != 0 && rented.TrueForAll(guard => Array.Exists(waits, wait => ((RentCaller)wait.Caller).Made(guard)));
    }

    private static bool HoldsNothing(LifetimeGuard guard) => !guard.IsRented || !guard.IsCharged;

    // Now, or it is let in at the next look.
    private static bool GoesOn(BudgetWait wait) => !wait.StandsInLine || wait.Budget.HasRoom(wait.Bytes);
}

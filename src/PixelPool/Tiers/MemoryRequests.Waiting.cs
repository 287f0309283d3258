using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <content>Requests that the budget has no room for: they wait, and take their memory with what they were granted.</content>
internal sealed partial class MemoryRequests
{
    /// <summary>Takes memory for an image as soon as the budget has room for it. What the application gets is made while the guard can still be given back.</summary>
    public ValueTask<THandle> TakeImageAsync<THandle>(
        IRentPayer? payer,
        int width,
        int height,
        int pixelBytes,
        AllocationOptions options,
        long neededBytes,
        Func<LifetimeGuard, PixelLayout, THandle> make,
        CancellationToken cancellationToken)
        where THandle : class
    {
        PixelLayout found = default;
        return ServeAsync(
            payer,
            neededBytes,
            grant => (_tiers.TryTakeImage(width, height, pixelBytes, options, grant, out found, out long needed), needed),
            guard => make(guard, found),
            cancellationToken);
    }

    /// <summary>Takes contiguous memory as soon as the budget has room for it.</summary>
    public ValueTask<THandle> TakeMemoryAsync<THandle>(
        IRentPayer? payer, long bytes, AllocationOptions options, long neededBytes, Func<LifetimeGuard, THandle> make, CancellationToken cancellationToken)
        where THandle : class =>
        ServeAsync(
            payer, neededBytes, grant => (_tiers.TryTakeMemory(bytes, options, grant, out long needed), needed), make, cancellationToken);

    /// <summary>Charges bytes as soon as the budget has room for them.</summary>
    public ValueTask<THandle> TakeChargeAsync<THandle>(
        IRentPayer? payer, long bytes, bool reserve, Func<LifetimeGuard, THandle> make, CancellationToken cancellationToken)
        where THandle : class =>
        ServeAsync(payer, bytes, grant => (_tiers.TryCharge(bytes, grant, reserve), bytes), make, cancellationToken);

    private ValueTask<THandle> ServeAsync<THandle>(
        IRentPayer? payer,
        long neededBytes,
        Func<RentBudget, (LifetimeGuard? Taken, long NeededBytes)> tryTake,
        Func<LifetimeGuard, THandle> make,
        CancellationToken cancellationToken)
        where THandle : class
    {
        // Who asks is on the stack now. After the wait it is whoever returned the memory.
        Action<LifetimeGuard> remember = _listener.RememberCaller();
        return _waiting.ServeAsync(
            BudgetOf(payer)!,
            payer?.WaitRoom,
            neededBytes,
            grant =>
            {
                (LifetimeGuard? taken, long needed) = tryTake(grant);
                return (Begin(payer, taken) is not { } guard ? null : Hand(guard, guard =>
                {
                    remember(guard);
                    return make(guard);
                }), needed);
            },
            cancellationToken);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard WaitForImage(
        IRentPayer? payer, int width, int height, int pixelBytes, AllocationOptions options, long neededBytes, out PixelLayout layout)
    {
        PixelLayout found = default;
        LifetimeGuard guard = Serve(
            payer, neededBytes, grant => (_tiers.TryTakeImage(width, height, pixelBytes, options, grant, out found, out long needed), needed));
        layout = found;
        return guard;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard WaitForMemory(IRentPayer? payer, long bytes, AllocationOptions options, long neededBytes) =>
        Serve(payer, neededBytes, grant => (_tiers.TryTakeMemory(bytes, options, grant, out long needed), needed));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard WaitForCharge(IRentPayer? payer, long bytes, bool reserve) =>
        Serve(payer, bytes, grant => (_tiers.TryCharge(bytes, grant, reserve), bytes));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard WaitForWrapped(nint address, long bytes, Action? release, bool charge) =>
        Serve(null, bytes, grant => (_tiers.TryWrap(address, bytes, release, grant, charge), bytes));

    // What RentTimeout promises: waits for the budget and takes what was granted, or throws.
    private LifetimeGuard Serve(IRentPayer? payer, long neededBytes, Func<RentBudget, (LifetimeGuard? Taken, long NeededBytes)> tryTake) =>
        Begin(payer, _waiting.Serve(BudgetOf(payer)!, payer?.WaitRoom, neededBytes, tryTake))!;
}

using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <content>Requests that the budget has no room for: they wait, and take their memory with what they were granted.</content>
public sealed partial class PixelAllocator
{
    /// <summary>
    /// Rents an image as soon as the budget has room for it. No thread is blocked. Requests are served first come, first served: nobody overtakes one that
    /// waits, so that large ones do not starve. While one waits, <see cref="Rent{TPixel}"/> and <see cref="TryRent{TPixel}"/> find no room.
    /// </summary>
    /// <remarks>
    /// Who holds memory of the budget and waits for more of it can wait for ever, if the others do the same. A request that needs several buffers takes them
    /// from a scope that it reserved at once: <see cref="ReserveScopeAsync"/>. Without a budget, and while it has room, the task is complete when the call
    /// returns, and costs nothing but the buffer.
    /// </remarks>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Pixels of a row; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <param name="cancellationToken">Ends the wait. A request that was granted already is not cancelled.</param>
    /// <returns>The image; to be disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or an option is unknown.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    /// <exception cref="PixelBudgetExceededException">The image is larger than the whole budget: it would wait for ever.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Nothing was taken.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, also after every pool was trimmed. Nothing was taken.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ValueTask<PixelBuffer<TPixel>> RentAsync<TPixel>(
        int width, int height, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where TPixel : unmanaged =>
        RentForAsync<TPixel>(null, width, height, options, cancellationToken);

    internal ValueTask<PixelBuffer<TPixel>> RentForAsync<TPixel>(
        RentScope? scope, int width, int height, AllocationOptions options, CancellationToken cancellationToken)
        where TPixel : unmanaged
    {
        cancellationToken.ThrowIfCancellationRequested();
        PixelBuffer<TPixel>? buffer = TryTakeBuffer<TPixel>(width, height, options, BudgetOf(scope), out long neededBytes);
        return buffer is null
            ? RentLaterAsync<TPixel>(scope, width, height, options, neededBytes, cancellationToken)
            : new ValueTask<PixelBuffer<TPixel>>(buffer);
    }

    private unsafe ValueTask<PixelBuffer<TPixel>> RentLaterAsync<TPixel>(
        RentScope? scope, int width, int height, AllocationOptions options, long neededBytes, CancellationToken cancellationToken)
        where TPixel : unmanaged
    {
        // Who asks is on the stack now. After the wait it is whoever returned the memory.
        Action<LifetimeGuard> remember = _tracking.RememberCaller();
        int pixelBytes = sizeof(TPixel);
        return _requests.ServeAsync(
            BudgetOf(scope)!,
            scope?.WaitRoom,
            neededBytes,
            grant =>
            {
                LifetimeGuard? guard = _tiers.TryTakeImage(width, height, pixelBytes, options, grant, out PixelLayout layout, out long needed);
                return (guard is null ? null : Hand(guard, guard =>
                {
                    remember(guard);
                    return new PixelBuffer<TPixel>(guard, guard.Version, in layout);
                }), needed);
            },
            cancellationToken);
    }

    private unsafe PixelBuffer<TPixel>? TryTakeBuffer<TPixel>(int width, int height, AllocationOptions options, MemoryBudget? payer, out long neededBytes)
        where TPixel : unmanaged
    {
        LifetimeGuard? guard = _tiers.TryTakeImage(width, height, sizeof(TPixel), options, payer, out PixelLayout layout, out neededBytes);
        return guard is null ? null : new PixelBuffer<TPixel>(guard, guard.Version, in layout);
    }

    // What RentTimeout promises: waits for the budget and takes memory for an image, or throws.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard WaitForImage(
        RentScope? scope, int width, int height, int pixelBytes, AllocationOptions options, long neededBytes, out PixelLayout layout)
    {
        PixelLayout found = default;
        LifetimeGuard guard = _requests.Serve(
            BudgetOf(scope)!,
            scope?.WaitRoom,
            neededBytes,
            grant => (_tiers.TryTakeImage(width, height, pixelBytes, options, grant, out found, out long needed), needed));
        layout = found;
        return guard;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard WaitForMemory(RentScope? scope, long bytes, AllocationOptions options, long neededBytes) =>
        _requests.Serve(
            BudgetOf(scope)!, scope?.WaitRoom, neededBytes, grant => (_tiers.TryTakeMemory(bytes, options, grant, out long needed), needed));

    // A guard that holds a charge, or a reservation, at once, or after waiting as long as RentTimeout says.
    private LifetimeGuard TakeCharge(RentScope? scope, long bytes, bool reserve)
    {
        CheckCharge(nameof(bytes), bytes);
        return _tiers.TryCharge(bytes, BudgetOf(scope), reserve)
            ?? _requests.Serve(BudgetOf(scope)!, scope?.WaitRoom, bytes, grant => (_tiers.TryCharge(bytes, grant, reserve), bytes));
    }

    private MemoryBudget? BudgetOf(RentScope? scope) => scope is null ? _budget : scope.Budget;

    // What the application gets for the guard. If it can not be made, the guard lets go.
    private static THandle Hand<THandle>(LifetimeGuard guard, Func<LifetimeGuard, THandle> make)
    {
        bool handed = false;
        try
        {
            if (guard.IsToBeLookedAt)
            {
                guard.Look();
            }

            THandle handle = make(guard);
            handed = true;
            return handle;
        }
        finally
        {
            if (!handed)
            {
                guard.TryReleaseOwner(guard.Version);
            }
        }
    }

    private void CheckCharge(string name, long bytes)
    {
        if (bytes < 1)
        {
            Throw.OutOfRange(name, bytes, $"{name} must be at least 1.");
        }

        ThrowIfDisposed();
    }
}

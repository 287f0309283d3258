using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <content>
/// Requests that the budget has no room for: refused, or in line until it has. A request waits at one budget after the other, from the innermost scope
/// outwards, and keeps what it was granted; what is granted is held by nobody else, so those it waits for never wait for it.
/// </content>
public sealed partial class PixelAllocator
{
    private readonly WaitRoom _waitRoom = new(nameof(PixelAllocator));
    private readonly BudgetObserver _observer;

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

    private async ValueTask<PixelBuffer<TPixel>> RentLaterAsync<TPixel>(
        RentScope? scope, int width, int height, AllocationOptions options, long neededBytes, CancellationToken cancellationToken)
        where TPixel : unmanaged
    {
        // Who asks is on the stack now. After the wait it is whoever returned the memory.
        RentStack? origin = _pool.Tracking.CaptureOrigin();
        while (true)
        {
            using BudgetGrant grant = await WaitAsync(scope, neededBytes, cancellationToken).ConfigureAwait(false);
            if (TryTakeGranted<TPixel>(width, height, options, grant, origin, out neededBytes) is { } buffer)
            {
                return buffer;
            }
        }
    }

    private unsafe PixelBuffer<TPixel>? TryTakeBuffer<TPixel>(int width, int height, AllocationOptions options, RentBudget? budget, out long neededBytes)
        where TPixel : unmanaged
    {
        LifetimeGuard? guard = TryTakeImage(width, height, sizeof(TPixel), options, budget, out PixelLayout layout, out neededBytes);
        return guard is null ? null : new PixelBuffer<TPixel>(guard, guard.Version, in layout);
    }

    private unsafe PixelBuffer<TPixel>? TryTakeGranted<TPixel>(
        int width, int height, AllocationOptions options, BudgetGrant grant, RentStack? origin, out long neededBytes)
        where TPixel : unmanaged
    {
        LifetimeGuard? guard = TryTakeImage(width, height, sizeof(TPixel), options, grant, out PixelLayout layout, out neededBytes);
        return guard is null ? null : Hand(guard, (allocator, guard) =>
        {
            allocator._pool.Tracking.Attribute(guard, origin);
            return new PixelBuffer<TPixel>(guard, guard.Version, in layout);
        });
    }

    // What RentTimeout promises: waits for the budget and takes memory for an image, or throws.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard TakeImageLater(
        RentScope? scope, int width, int height, int pixelBytes, AllocationOptions options, long neededBytes, out PixelLayout layout)
    {
        while (true)
        {
            using BudgetGrant grant = Wait(scope, neededBytes);
            if (TryTakeImage(width, height, pixelBytes, options, grant, out layout, out neededBytes) is { } guard)
            {
                return guard;
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard TakeMemoryLater(RentScope? scope, long bytes, AllocationOptions options, long neededBytes)
    {
        while (true)
        {
            using BudgetGrant grant = Wait(scope, neededBytes);
            if (TryTake(bytes, 1, options, grant, out _, out neededBytes) is { } guard)
            {
                return guard;
            }
        }
    }

    private async ValueTask<BudgetGrant> WaitAsync(RentScope? scope, long bytes, CancellationToken cancellationToken)
    {
        using BudgetWait wait = BeginWait(scope, bytes, blocksThread: false);
        using var cancelled = new CancelledWait(wait, cancellationToken);
        while (wait.Next(cancellationToken) is { } waiter)
        {
            await waiter.Turn.ConfigureAwait(false);
        }

        return wait.ToGrant();
    }

    // The thread that is blocked wakes itself when its time is over: the thread pool may be full of threads that are blocked just here.
    private BudgetGrant Wait(RentScope? scope, long bytes)
    {
        TimeSpan timeout = _options.RentTimeout;
        if (timeout == TimeSpan.Zero)
        {
            MemoryBudget refusing = BudgetOf(scope)!.RefusedBy(bytes);
            _observer.OnRefusal(bytes, refusing.LimitBytes);
            Throw.BudgetExceeded(bytes, refusing);
        }

        using BudgetWait wait = BeginWait(scope, bytes, blocksThread: true);
        using var time = new TimeLimit(_pool.Name, wait, timeout, _options.TimeProvider);
        while (wait.Next() is { } waiter)
        {
            time.Block(waiter);
        }

        return wait.ToGrant();
    }

    private BudgetWait BeginWait(RentScope? scope, long bytes, bool blocksThread) =>
        new(BudgetOf(scope)!, bytes, _observer, _waitRoom, scope?.WaitRoom, blocksThread);

    private MemoryBudget? BudgetOf(RentScope? scope) => scope is null ? _budget : scope.Budget;
}

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using PixelPool.Budgets;
using PixelPool.Diagnostics;
#if NET
using PixelPool.Diagnostics.Metrics;
#endif
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

/// <summary>
/// Rents memory for images and takes it back: the one object an application meets.
/// </summary>
/// <remarks>
/// <para>Every request goes to one of three kinds of memory, by the bytes it needs:</para>
/// <list type="bullet">
/// <item>small (at most <see cref="PixelAllocatorOptions.SmallBufferThresholdBytes"/>): an array of an <see cref="ArrayPool{T}"/>, or a slab;</item>
/// <item>
/// blocks: as many blocks of a <see cref="UniformUnmanagedMemoryPool"/> as the rows need, wherever they lie; side by side for contiguous memory and
/// for rows longer than a block;
/// </item>
/// <item>large: what would exceed the pool's capacity gets memory from the system that goes back to it when it is returned.</item>
/// </list>
/// <para>
/// Buffers may be disposed on any thread, also after the allocator. A buffer that is forgotten is returned by a finalizer and counted as
/// leaked. An allocator that is dropped without being disposed frees its memory when it is collected. All members are thread-safe.
/// </para>
/// <para>
/// <see cref="Thread.Interrupt"/> ends a wait for budget with a <see cref="ThreadInterruptedException"/>. It never stops a return, and loses nothing. Aborting threads
/// of .NET Framework (<c>Thread.Abort</c>) is not supported: what they were renting or returning may be lost.
/// </para>
/// <para>At least 64 bytes before and behind the memory of a buffer can be read as long as it is rented. They are not the buffer's.</para>
/// </remarks>
public sealed partial class PixelAllocator : IDisposable
{
    private readonly RentTracking _tracking;
    private readonly MemoryRequests _requests;
    private readonly bool _isShared;
#if NET

    // Only held: its finalizer tells the meter that nothing of this allocator is left.
    private readonly MeteredAllocator _metered;
#endif

    private PixelAllocator(PixelAllocatorOptions options, bool isShared)
    {
        _isShared = isShared;
        Name = options.Name ?? (isShared ? nameof(Shared) : nameof(PixelAllocator));

        // Everything that is rented holds this, and so the allocator: its reports and metrics are complete.
        _tracking = new RentTracking(Name, options, sender: this, () => Leaked);
        _requests = new MemoryRequests(options, _tracking.Guards, Name, nameof(PixelAllocator));
#if NET
        // Last: from here on it may be measured.
        _metered = new MeteredAllocator(Name, GetStatistics, options.MeterFactory);
#endif
    }

    /// <summary>
    /// The allocator of the process, with the default options, which environment variables can change (<see cref="PixelAllocatorOptions"/>). It is never
    /// disposed: <see cref="Dispose"/> only trims it.
    /// </summary>
    public static PixelAllocator Shared { get; } = new(new PixelAllocatorOptions().Validated(), isShared: true);

    /// <summary>
    /// Raised for every rent, external charge (<see cref="ChargeExternal"/>) and reservation (<see cref="ReserveScope"/>) that was forgotten, after its memory is
    /// back: with its size, and with its age and place where they were recorded (<see cref="PixelAllocatorOptions.LeakTracking"/>).
    /// </summary>
    /// <remarks>
    /// Handlers are called on a thread of the thread pool, one leak after the other. While one blocks, at most 1,024 leaks wait for it; the statistics
    /// count all of them. What a handler throws is told by the event source "PixelPool" and disturbs nobody else. Handlers are held by the allocator, and by
    /// everything that is rented from it.
    /// </remarks>
    public event EventHandler<LeakedEventArgs>? Leaked;

    /// <summary>What reports call it: its <see cref="PixelAllocatorOptions.Name"/>, or what it is when it has none. It does not change.</summary>
    public string Name { get; }

    /// <summary>Creates an allocator with a pool of its own. It takes nothing from the system before the first rent.</summary>
    /// <param name="options">How it behaves; null for the defaults. They are copied: later changes have no effect.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    /// <exception cref="ArgumentNullException">An option is null that must not be.</exception>
    public static PixelAllocator Create(PixelAllocatorOptions? options = null) =>
        new((options ?? new PixelAllocatorOptions()).Validated(), isShared: false);

    /// <summary>Rents an image.</summary>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or an option is unknown.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// The image would exceed <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or earlier requests wait for that room, and
    /// <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, even after every pool was trimmed. Nothing was rented.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public PixelBuffer<TPixel> Rent<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        RentFor<TPixel>(null, width, height, options);

    /// <summary>Rents an image, if the budget has room for it.</summary>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="buffer">The image. The caller disposes it.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>
    /// False when it would exceed <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or others wait for that room: at once, it never waits itself. All other
    /// errors are those of <see cref="Rent{TPixel}"/>.
    /// </returns>
    public bool TryRent<TPixel>(
        int width, int height, [NotNullWhen(true)] out PixelBuffer<TPixel>? buffer, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        TryRentFor(null, width, height, out buffer, options);

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
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait. A request that was granted already is not cancelled.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or an option is unknown.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    /// <exception cref="PixelBudgetExceededException">The image is larger than the whole budget: it would wait for ever.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Nothing was rented.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, even after every pool was trimmed. Nothing was rented.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ValueTask<PixelBuffer<TPixel>> RentAsync<TPixel>(
        int width, int height, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where TPixel : unmanaged =>
        RentForAsync<TPixel>(null, width, height, options, cancellationToken);

    /// <summary>
    /// What <see cref="Rent{TPixel}"/> with these parameters would hold, and charge to a budget: for a scope that is to be reserved, add up what will be rented of it
    /// (<see cref="ReserveScope"/>).
    /// </summary>
    /// <remarks>
    /// Whole blocks for what is larger than a small image; for small images the array or the slab's piece. It is what is held at most: an array is shorter where the
    /// collector has put it well, and an image that a full pool has no room for holds no more than it needs. Of an application's own
    /// <see cref="PixelAllocatorOptions.ArrayPool"/> nothing is known: its arrays are expected to be those of <see cref="ArrayPool{T}.Shared"/>. Without a budget, contiguous memory of several
    /// blocks can hold an eighth more. Memory of <see cref="Allocate{T}"/> counts as one row, <see cref="AllocationOptions.Contiguous"/>.
    /// </remarks>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>Bytes.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or an option is unknown.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    public unsafe long GetHeldBytes<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        _requests.GetHeldBytes(width, height, sizeof(TPixel), options);

    /// <summary>This allocator as a <see cref="MemoryPool{T}"/>, for code that takes one. Disposing the pool does not dispose the allocator.</summary>
    public MemoryPool<byte> AsMemoryPool() => new AllocatorMemoryPool(this);

    /// <summary>Gives every idle block back to the system now. Rented memory is not touched.</summary>
    /// <returns>Bytes given back.</returns>
    public long Trim() => TrimTo(0);

    /// <summary>Gives idle blocks back to the system until at most <paramref name="idleBytes"/> stay idle.</summary>
    /// <param name="idleBytes">Bytes that may stay idle; rounded down to whole blocks.</param>
    /// <returns>Bytes given back.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="idleBytes"/> is negative.</exception>
    public long TrimTo(long idleBytes) => _requests.TrimTo(idleBytes);

    /// <summary>What the allocator holds and what it did so far: exact while no other thread rents, returns or trims, close to it otherwise.</summary>
    public PixelPoolStatistics GetStatistics() => _requests.GetStatistics();

    /// <summary>
    /// What is held of the allocator and its budget now: rents, external charges and reservations, of each its size, and its age and place where they were
    /// recorded (<see cref="PixelAllocatorOptions.LeakTracking"/>). Those whose age is known come first, the oldest of them first; then the others, the largest
    /// first.
    /// </summary>
    /// <returns>A copy, which keeps no memory alive. A rent that begins or ends meanwhile is in it, or not.</returns>
    /// <remarks>Costs about a hundred nanoseconds per rent that is or was held at once.</remarks>
    public IReadOnlyList<RentRecord> GetOutstandingRents() => _tracking.ListOutstanding();

    /// <summary>Starts to record every rent, for a test that asks afterwards whether all of them were given back.</summary>
    /// <returns>Knows the rents that are made from now on. The caller disposes it.</returns>
    public LeakTracker TrackLeaks() => new(_tracking);

    /// <summary>
    /// Gives all idle memory back to the system and ends renting; requests that wait for budget fail. Buffers that are rented stay valid; their memory goes to
    /// the system when they are disposed. Idempotent. <see cref="Shared"/> is trimmed only.
    /// </summary>
    public void Dispose()
    {
        if (_isShared)
        {
            Trim();
            return;
        }

        _requests.Dispose();
    }

    /// <summary>Name and state, for debuggers.</summary>
    public override string ToString() => $"{Name}: {GetStatistics()}{(_requests.IsDisposed ? ", disposed" : string.Empty)}";

    internal RentTracking Tracking => _tracking;

    internal MemoryRequests Requests => _requests;

    /// <summary>Bytes of a block, and the most bytes of a small image.</summary>
    internal (int Block, int Small) PieceSizes => _requests.PieceSizes;

    internal void ThrowIfDisposed()
    {
        if (_requests.IsDisposed)
        {
            Throw.Disposed(nameof(PixelAllocator));
        }
    }

    // For a scope, or for the allocator itself.
    internal unsafe PixelBuffer<TPixel> RentFor<TPixel>(IRentPayer? payer, int width, int height, AllocationOptions options)
        where TPixel : unmanaged
    {
        LifetimeGuard guard = _requests.TakeImage(payer, width, height, sizeof(TPixel), options, out PixelLayout layout);
        return new PixelBuffer<TPixel>(guard, guard.Version, in layout);
    }

    internal bool TryRentFor<TPixel>(
        IRentPayer? payer, int width, int height, [NotNullWhen(true)] out PixelBuffer<TPixel>? buffer, AllocationOptions options)
        where TPixel : unmanaged
    {
        buffer = TryTakeBuffer<TPixel>(payer, width, height, options, out long neededBytes);
        if (buffer is null)
        {
            _requests.Refuse(payer, neededBytes);
        }

        return buffer is not null;
    }

    internal unsafe ValueTask<PixelBuffer<TPixel>> RentForAsync<TPixel>(
        IRentPayer? payer, int width, int height, AllocationOptions options, CancellationToken cancellationToken)
        where TPixel : unmanaged
    {
        cancellationToken.ThrowIfCancellationRequested();
        PixelBuffer<TPixel>? buffer = TryTakeBuffer<TPixel>(payer, width, height, options, out long neededBytes);
        return buffer is not null
            ? new ValueTask<PixelBuffer<TPixel>>(buffer)
            : _requests.TakeImageAsync(
                payer,
                width,
                height,
                sizeof(TPixel),
                options,
                neededBytes,
                static (guard, layout) => new PixelBuffer<TPixel>(guard, guard.Version, in layout),
                cancellationToken);
    }

    private unsafe PixelBuffer<TPixel>? TryTakeBuffer<TPixel>(IRentPayer? payer, int width, int height, AllocationOptions options, out long neededBytes)
        where TPixel : unmanaged
    {
        LifetimeGuard? guard = _requests.TryTakeImage(payer, width, height, sizeof(TPixel), options, out PixelLayout layout, out neededBytes);
        return guard is null ? null : new PixelBuffer<TPixel>(guard, guard.Version, in layout);
    }
}

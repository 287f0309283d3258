using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Diagnostics;
#if NET
using PixelPool.Diagnostics.Metrics;
#endif
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

/// <summary>Rents memory for images and takes it back. Most applications need one.</summary>
/// <remarks>
/// <para>Every request goes to one of three kinds of memory, by the bytes it needs:</para>
/// <list type="bullet">
/// <item>small (at most <see cref="PixelAllocatorOptions.SmallBufferThresholdBytes"/>): an array of an <see cref="ArrayPool{T}"/>, or a slab;</item>
/// <item>
/// blocks: as many blocks of a <see cref="UniformUnmanagedMemoryPool"/> as the rows need, wherever they lie; side by side for contiguous memory and
/// for rows longer than a block;
/// </item>
/// <item>large: a request that would exceed the pool's capacity gets memory from the system, which goes back to the system when it is returned.</item>
/// </list>
/// <para>
/// Buffers may be disposed on any thread, even after the allocator. A forgotten buffer is returned by a finalizer and counted as leaked. An allocator that is
/// not disposed frees its memory when it is collected. All members are thread-safe.
/// </para>
/// <para>
/// <see cref="Thread.Interrupt"/> ends a wait for budget with a <see cref="ThreadInterruptedException"/>, and sometimes a rent that waits for an array pool or for memory of the system. It never stops a return, and no memory is lost.
/// <c>Thread.Abort</c> of .NET Framework is not supported: memory that the thread was renting or returning may be lost. <see cref="Thread.Interrupt"/> is not supported on Mono, or
/// under Native AOT, where an interrupted <see cref="Monitor.Wait(object)"/> returns without its lock.
/// On Windows, a thread of a single-threaded apartment may handle COM calls and window messages while it waits for another thread. Their handlers must not rent or return memory.
/// Neither may handlers of <see cref="AppDomain.FirstChanceException"/>: they run inside of what throws, which may hold a lock of the allocator.
/// </para>
/// <para>
/// At least 64 bytes before and after the memory of a buffer can be read while it is rented, but must not be written. Guarded rents
/// (<see cref="PixelAllocatorOptions.GuardedRentSampling"/>) and wrapped memory do not have this margin. A small image in an array can lose it when the collector moves the array.
/// </para>
/// </remarks>
public sealed partial class PixelAllocator : IDisposable
{
    private static PixelAllocator? s_shared;

    private readonly bool _isShared;

    private PixelAllocator(PixelAllocatorOptions options, bool isShared)
    {
        _isShared = isShared;
        Name = options.Name ?? (isShared ? nameof(Shared) : nameof(PixelAllocator));

        // Everything that is rented holds this, and so the allocator: its reports and metrics are complete.
        Tracking = new RentTracking(Name, options, new AllocatorReports(Name, sender: this, () => Leaked, () => LongWait));
        Requests = new MemoryRequests(options, Tracking.Guards, Name, nameof(PixelAllocator));
        PieceSizes = (options.BlockBytes, options.SmallBytes);
#if NET
        // Last: from here on it may be measured. The delegate holds what tells the meter, when it is finalized, that nothing of this allocator is left.
        Tracking.WaitEnded = new MeteredAllocator(Name, GetStatistics, options.AnyMeterFactory).OnWaited;
#endif
    }

    /// <summary>
    /// The allocator of the process, with the default options. Environment variables can change those (<see cref="PixelAllocatorOptions"/>). It is never
    /// disposed: <see cref="Dispose"/> only trims it.
    /// </summary>
    public static PixelAllocator Shared => Volatile.Read(ref s_shared) ?? CreateShared();

    /// <summary>
    /// Raised for every forgotten rent, external charge (<see cref="ChargeExternal"/>) and reservation (<see cref="ReserveScope"/>), after its memory was
    /// returned. The arguments have its size, and its age and place if they were recorded (<see cref="PixelAllocatorOptions.LeakTracking"/>).
    /// </summary>
    /// <remarks>
    /// Handlers are called on a thread of the thread pool, one leak after the other. While a handler blocks, at most 1,024 leaks are queued; the statistics
    /// count all of them. If a handler throws, the event source "PixelPool" reports it, and no other code sees it. The allocator and everything that is rented
    /// from it keep references to the handlers.
    /// </remarks>
    public event EventHandler<LeakedEventArgs>? Leaked;

    /// <summary>
    /// Raised once for each request that has waited for budget longer than <see cref="PixelAllocatorOptions.LongWaitThreshold"/>. Raised a second time if the request becomes part of a deadlock later. The arguments say who
    /// waits, who holds the budget, and whether this is a deadlock.
    /// </summary>
    /// <remarks>
    /// Handlers run on the thread pool, like those of <see cref="Leaked"/>. Waits are checked once a second. While a handler blocks, at most 1,024 reports are queued; <see cref="PixelPoolStatistics.LongWaits"/> counts all of them.
    /// </remarks>
    public event EventHandler<LongWaitEventArgs>? LongWait;

    /// <summary>
    /// The name of the allocator in reports: its <see cref="PixelAllocatorOptions.Name"/>, or, if it has none, <c>Shared</c> for <see cref="Shared"/> and
    /// <c>PixelAllocator</c> for all others. It does not change.
    /// </summary>
    public string Name { get; }

    /// <summary>Creates an allocator with a pool of its own. It takes nothing from the system before the first rent.</summary>
    /// <param name="options">The options. Default: null, which uses the defaults. They are copied, so later changes have no effect.</param>
    /// <remarks>
    /// It also throws what <see cref="MemoryPressureSource.GetAvailableBytes"/> of a source of the application, or <see cref="TimeProvider.CreateTimer"/> of its clock, throws.
    /// </remarks>
    /// <returns>The allocator. The caller disposes it, when nothing rents from it any more.</returns>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    /// <exception cref="ArgumentNullException">An option that must not be null is null.</exception>
    public static PixelAllocator Create(PixelAllocatorOptions? options = null) =>
        new(options?.Validated() ?? new PixelAllocatorOptions(), isShared: false);

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
    /// <exception cref="OutOfMemoryException">
    /// The system refused memory, even after every pool was trimmed. A request of more than 1 GiB that is larger than all memory that the process may use fails at once. Linux often
    /// refuses nothing: there, only a budget limits what is rented. Nothing was rented. If managed memory ran out, a finalizer may have to return the memory, and counts it as a leak.
    /// </exception>
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
    /// False when the image would exceed <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or earlier requests wait for that room. The method never waits for
    /// the budget. If the system refuses memory, it may pause for 50 milliseconds, up to three times. All other errors are those of <see cref="Rent{TPixel}"/>.
    /// </returns>
    public bool TryRent<TPixel>(
        int width, int height, [NotNullWhen(true)] out PixelBuffer<TPixel>? buffer, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        TryRentFor(null, width, height, out buffer, options);

    /// <summary>
    /// Rents an image as soon as the budget has room for it, without blocking a thread. Requests are served in order of arrival, but requests for at most 1/64 of the budget, and requests of
    /// code that already holds memory, come first. Large requests do not starve.
    /// </summary>
    /// <remarks>
    /// The allocator knows what a scope holds, and what a blocked thread rented. Other asynchronous code that needs more memory while it holds some should rent through a
    /// <see cref="RentScope"/>. Code that holds memory and waits for more can wait forever, if other code does the same: reserve all of it at once with <see cref="ReserveScopeAsync"/>.
    /// While the budget has room, the task is complete when the call returns, and nothing but the buffer is allocated.
    /// </remarks>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait. A request that was granted already is not cancelled.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or an option is unknown.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// The image is larger than the whole budget: it would wait forever. Or <see cref="PixelAllocatorOptions.AsyncRentTimeout"/> has passed.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Nothing was rented.</exception>
    /// <exception cref="OutOfMemoryException">
    /// The system refused memory, even after every pool was trimmed. A request of more than 1 GiB that is larger than all memory that the process may use fails at once. Linux often
    /// refuses nothing: there, only a budget limits what is rented. Nothing was rented. If managed memory ran out, a finalizer may have to return the memory, and counts it as a leak.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, before or while the request waited.</exception>
    public ValueTask<PixelBuffer<TPixel>> RentAsync<TPixel>(
        int width, int height, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where TPixel : unmanaged =>
        TakeAsync(null, width, height, Unsafe.SizeOf<TPixel>(), options, (RentScope?)null, RentScope.BufferOf<TPixel>, cancellationToken);

    /// <summary>
    /// The bytes that <see cref="Rent{TPixel}"/> with these parameters would hold, and charge to a budget. To reserve a scope (<see cref="ReserveScope"/>), add
    /// up the bytes of everything that will be rented through it.
    /// </summary>
    /// <remarks>
    /// A small image holds an array or a piece of a slab. A larger image holds whole blocks. The result is an upper limit: an array can be shorter, and an
    /// image that a full pool has no room for holds only the bytes that it needs. An <see cref="PixelAllocatorOptions.ArrayPool"/> of the application is
    /// expected to return arrays as long as those of <see cref="ArrayPool{T}.Shared"/>. With slabs, it is at least what an array would hold, because an array is used when no block is available to cut. For <see cref="Allocate{T}"/>, pass its length as the width, 1 as the height, and <see cref="AllocationOptions.Contiguous"/>.
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
        Requests.GetHeldBytes(width, height, sizeof(TPixel), options);

    /// <summary>
    /// Returns this allocator as a <see cref="MemoryPool{T}"/>, for code that takes a memory pool. <c>Rent()</c> gives 4,096 bytes, <c>Rent(n)</c> exactly n; <c>MaxBufferSize</c> is
    /// <see cref="int.MaxValue"/>. Disposing the pool does not dispose the allocator.
    /// </summary>
    /// <returns>The pool. Its <c>Rent</c> throws what <see cref="Allocate{T}"/> throws.</returns>
    public MemoryPool<byte> AsMemoryPool() => new AllocatorMemoryPool(this);

    /// <summary>Gives every idle block back to the system now. Rented memory is not touched.</summary>
    /// <remarks>
    /// A block that small images share (<see cref="SmallBufferStrategy.Slab"/>) is returned to the system when its last image is returned. Until then, its unused part is idle. On Linux,
    /// this method, <see cref="TrimTo"/> with 0, the trim policy, memory pressure and a lack of memory release the free pages of such a block earlier. This lowers resident memory, but does not change the
    /// statistics. The method empties the caches of all threads. Arrays that go back to their pool do not count in the result.
    /// <para>
    /// Each rented image needs about 400 bytes of bookkeeping on the managed heap. After a burst of many thousands of images, the next full garbage collection frees this memory.
    /// Call <c>GC.Collect(2, GCCollectionMode.Aggressive, blocking: true, compacting: true)</c> after this method to get that memory back at once.
    /// </para>
    /// </remarks>
    /// <returns>Bytes given back.</returns>
    public long Trim() => TrimTo(0);

    /// <summary>
    /// Gives idle blocks back to the system until at most <paramref name="idleBytes"/> stay idle. The unused parts of blocks that still contain small images do not count. The caches of all
    /// threads are emptied.
    /// </summary>
    /// <param name="idleBytes">Bytes that may stay idle. Rounded down to whole blocks.</param>
    /// <returns>Bytes given back.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="idleBytes"/> is negative.</exception>
    public long TrimTo(long idleBytes) => Requests.TrimTo(idleBytes);

    /// <summary>
    /// What the allocator holds and what it did so far. The figures are exact while no other thread rents, returns or trims, and close to exact otherwise. Memory that
    /// is idle never counts as rented, even while it is being trimmed.
    /// </summary>
    /// <returns>A copy, which does not change.</returns>
    public PixelPoolStatistics GetStatistics() => Requests.GetStatistics();

    /// <summary>
    /// Lists everything that holds memory or budget of the allocator now: rents, external charges and reservations. Each has its size, and its age and place if they were
    /// recorded (<see cref="PixelAllocatorOptions.LeakTracking"/>). Entries with a known age come first, the oldest first; then the others, the largest first.
    /// </summary>
    /// <returns>A copy, which keeps no memory alive. A rent that begins or ends during the call may or may not be in it.</returns>
    /// <remarks>Takes about a hundred nanoseconds per rent, for the most rents that were ever held at once.</remarks>
    public IReadOnlyList<RentRecord> GetOutstandingRents() => Tracking.ListOutstanding();

    /// <summary>
    /// Lists the requests that wait for budget now, those of scopes included. Each has its size, how long it has waited, and its place if that was recorded
    /// (<see cref="PixelAllocatorOptions.LeakTracking"/>). Those that have waited longest come first.
    /// </summary>
    /// <returns>A copy. A wait that begins or ends during the call may or may not be in it.</returns>
    public IReadOnlyList<WaitingRent> GetWaitingRents() => WaitingRent.Of(Requests.ListWaiting());

    /// <summary>Starts to record every rent, for a test that checks afterwards whether all of them were returned.</summary>
    /// <returns>The tracker, which knows the rents that are made from now on. The caller disposes it.</returns>
    public LeakTracker TrackLeaks() => new(Tracking);

    /// <summary>
    /// Gives all idle memory back to the system and ends renting. Requests that wait for budget throw <see cref="ObjectDisposedException"/>. Rented buffers
    /// stay valid; their memory goes to the system when they are disposed. Trimming, statistics and lists of rents still work. Calling it again does nothing. <see cref="Shared"/> is only trimmed.
    /// </summary>
    public void Dispose()
    {
        if (_isShared)
        {
            Trim();
            return;
        }

        Requests.Dispose();
    }

    /// <summary>Name and state, for debuggers.</summary>
    public override string ToString() => $"{Name}: {GetStatistics()}{(Requests.IsDisposed ? ", disposed" : string.Empty)}";

    // Not by the initializer of the type: listeners hear of it, and may use it, or wait for others who do; and one that fails for lack of memory has failed for good.
    private static PixelAllocator CreateShared()
    {
        var created = new PixelAllocator(new PixelAllocatorOptions(), isShared: true);
        if (Interlocked.CompareExchange(ref s_shared, created, null) is not { } other)
        {
            return created;
        }

        created.Requests.Dispose();
        return other;
    }

    internal readonly RentTracking Tracking;

    internal readonly MemoryRequests Requests;

    /// <summary>Bytes of a block, and the most bytes of a small image.</summary>
    internal (int Block, int Small) PieceSizes { get; }

    /// <summary>Whether memory that comes back is cleared.</summary>
    internal bool ClearsOnReturn => Tracking.Guards.ClearsOnReturn;

    internal void ThrowIfDisposed() => Throw.IfDisposed(Requests.IsDisposed, nameof(PixelAllocator));

    // For a scope, or for the allocator itself.
    internal unsafe PixelBuffer<TPixel> RentFor<TPixel>(RentPayer? payer, int width, int height, AllocationOptions options)
        where TPixel : unmanaged
    {
        LifetimeGuard guard = Requests.TakeImage(payer, width, height, sizeof(TPixel), options, out PixelLayout layout);
        return new PixelBuffer<TPixel>(guard, guard.Version, in layout);
    }

    internal unsafe bool TryRentFor<TPixel>(
        RentScope? scope, int width, int height, [NotNullWhen(true)] out PixelBuffer<TPixel>? buffer, AllocationOptions options)
        where TPixel : unmanaged
    {
        LifetimeGuard? guard = TryTake(scope?.Payer, width, height, sizeof(TPixel), options, out PixelLayout layout);
        buffer = guard is null ? null : RentScope.Own(scope, new PixelBuffer<TPixel>(guard, guard.Version, in layout));
        return buffer is not null;
    }

    /// <summary>The same for a stream. That there is no room is no refusal.</summary>
    /// <returns>Null when the budget has no room for so many bytes as are needed.</returns>
    internal PixelBuffer<byte>? TryRentQuietly(RentScope? scope, int width, int height, AllocationOptions options, out long neededBytes)
    {
        LifetimeGuard? guard = Requests.TryTakeImage(scope?.Payer, width, height, sizeof(byte), options, out PixelLayout layout, out neededBytes);
        return guard is null ? null : RentScope.Own(scope, new PixelBuffer<byte>(guard, guard.Version, in layout));
    }

    /// <summary>Takes an image now, or as soon as the budgets have room for it. What the application gets is made of it at once, on whatever thread that is, and owned by the scope: no asynchronous method has to go on for that.</summary>
    /// <param name="payer">That of the scope; null for the allocator itself.</param>
    /// <param name="width">Width in pixels.</param>
    /// <param name="height">Height in rows.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <param name="options">Requirements on the memory.</param>
    /// <param name="state">Passed to <paramref name="make"/>.</param>
    /// <param name="make">Makes it. If there is no memory for that, a finalizer finds what was taken, as after <see cref="Rent{TPixel}"/>; what waited is returned at once.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal ValueTask<THandle> TakeAsync<TState, THandle>(
        RentPayer? payer, int width, int height, int pixelBytes, AllocationOptions options, TState state, Func<TState, LifetimeGuard, PixelLayout, THandle> make, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        LifetimeGuard? guard = Requests.TryTakeImage(payer, width, height, pixelBytes, options, out PixelLayout layout, out long neededBytes);
        return guard is not null
            ? new ValueTask<THandle>(make(state, guard, layout))
            : Requests.TakeImageAsync(payer, width, height, pixelBytes, options, neededBytes, state, make, cancellationToken);
    }

    private LifetimeGuard? TryTake(RentPayer? payer, int width, int height, int pixelBytes, AllocationOptions options, out PixelLayout layout)
    {
        LifetimeGuard? guard = Requests.TryTakeImage(payer, width, height, pixelBytes, options, out layout, out long neededBytes);
        if (guard is null)
        {
            Requests.Refuse(payer, neededBytes);
        }

        return guard;
    }
}

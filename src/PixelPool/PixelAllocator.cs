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
    private readonly MemoryBudget? _budget;
    private readonly MemoryTiers _tiers;
    private readonly BudgetRequests _requests;
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
        _budget = options.MaxRentedBytes is { } limit ? new MemoryBudget(limit, Name, _tracking.Accounts) : null;
        _tiers = new MemoryTiers(options, _tracking.Guards, _budget, nameof(PixelAllocator));
        _requests = new BudgetRequests(options, _tracking.Accounts, nameof(PixelAllocator), _budget);
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
    /// <param name="width">Pixels of a row; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <returns>The image; to be disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or an option is unknown.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image more than the address space.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// It would exceed <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or others wait for that room, and <see cref="PixelAllocatorOptions.RentTimeout"/> is over.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, also after every pool was trimmed. Nothing was taken.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public PixelBuffer<TPixel> Rent<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        RentFor<TPixel>(null, width, height, options);

    /// <summary>
    /// Rents an image as a struct: nothing is allocated on the managed heap. It is to be disposed once. A second time does nothing, and is counted
    /// (<see cref="PixelPoolStatistics.SecondReturns"/>).
    /// </summary>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Pixels of a row; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <returns>The image; to be disposed. The errors are those of <see cref="Rent{TPixel}"/>.</returns>
    public unsafe PixelLease<TPixel> Lease<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged
    {
        LifetimeGuard guard = TakeImage(null, width, height, sizeof(TPixel), options, out PixelLayout layout);
        return new PixelLease<TPixel>(guard, guard.Version, in layout);
    }

    /// <summary>Rents an image, if the budget has room for it.</summary>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="width">Pixels of a row; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <param name="buffer">The image; to be disposed.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <returns>
    /// False when it would exceed <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or others wait for that room: at once, it never waits itself. All other
    /// errors are those of <see cref="Rent{TPixel}"/>.
    /// </returns>
    public bool TryRent<TPixel>(
        int width, int height, [NotNullWhen(true)] out PixelBuffer<TPixel>? buffer, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        TryRentFor(null, width, height, out buffer, options);

    /// <summary>Allocates contiguous memory of any element type from the same tiers, budget and accounts as images.</summary>
    /// <typeparam name="T">The type of an element: any unmanaged type.</typeparam>
    /// <param name="length">Elements; 0 or more.</param>
    /// <param name="options">What is asked of the memory; it is always contiguous.</param>
    /// <returns>
    /// An owner of exactly <paramref name="length"/> elements; to be disposed. Its memory throws <see cref="ObjectDisposedException"/> after that. Pins
    /// (<see cref="Memory{T}.Pin"/>) hold the memory until they are disposed, also past the owner's disposal.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative, or an option is unknown.</exception>
    /// <exception cref="InvalidMemoryOperationException">The memory would exceed the address space.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// It would exceed <see cref="PixelAllocatorOptions.MaxRentedBytes"/>, or others wait for that room, and <see cref="PixelAllocatorOptions.RentTimeout"/> is over.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, also after every pool was trimmed. Nothing was taken.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public IMemoryOwner<T> Allocate<T>(int length, AllocationOptions options = AllocationOptions.None)
        where T : unmanaged =>
        AllocateFor<T>(null, length, options);

    /// <summary>This allocator as a <see cref="MemoryPool{T}"/>, for code that takes one. Disposing the pool does not dispose the allocator.</summary>
    public MemoryPool<byte> AsMemoryPool() => new AllocatorMemoryPool(this);

    /// <summary>Gives every idle block back to the system now. Rented memory is not touched.</summary>
    /// <returns>Bytes given back.</returns>
    public long Trim() => TrimTo(0);

    /// <summary>Gives idle blocks back to the system until at most <paramref name="idleBytes"/> stay idle.</summary>
    /// <param name="idleBytes">Bytes that may stay idle; rounded down to whole blocks.</param>
    /// <returns>Bytes given back.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="idleBytes"/> is negative.</exception>
    public long TrimTo(long idleBytes) => _tiers.TrimTo(idleBytes);

    /// <summary>What the allocator holds and what it did so far: exact while no other thread rents, returns or trims, close to it otherwise.</summary>
    public PixelPoolStatistics GetStatistics() => _requests.AddTo(_tiers.GetStatistics());

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

        _tiers.Dispose();
        _requests.Dispose();
    }

    /// <summary>Name and state, for debuggers.</summary>
    public override string ToString() => $"{Name}: {GetStatistics()}{(_tiers.IsDisposed ? ", disposed" : string.Empty)}";


    internal MemoryBudget? Budget => _budget;

    internal RentTracking Tracking => _tracking;

    internal void ThrowIfDisposed()
    {
        if (_tiers.IsDisposed)
        {
            Throw.Disposed(nameof(PixelAllocator));
        }
    }

    // For a scope, or for the allocator itself.
    internal unsafe PixelBuffer<TPixel> RentFor<TPixel>(RentScope? scope, int width, int height, AllocationOptions options)
        where TPixel : unmanaged
    {
        LifetimeGuard guard = TakeImage(scope, width, height, sizeof(TPixel), options, out PixelLayout layout);
        return new PixelBuffer<TPixel>(guard, guard.Version, in layout);
    }

    internal bool TryRentFor<TPixel>(
        RentScope? scope, int width, int height, [NotNullWhen(true)] out PixelBuffer<TPixel>? buffer, AllocationOptions options)
        where TPixel : unmanaged
    {
        buffer = TryTakeBuffer<TPixel>(width, height, options, BudgetOf(scope), out long neededBytes);
        if (buffer is null)
        {
            _requests.Refuse(BudgetOf(scope)!, neededBytes);
        }

        return buffer is not null;
    }

    internal IMemoryOwner<T> AllocateFor<T>(RentScope? scope, int length, AllocationOptions options)
        where T : struct
    {
        if (length < 0)
        {
            Throw.Negative(nameof(length), length);
        }

        MemoryTiers.CheckOptions(options);
        long bytes = (long)length * Unsafe.SizeOf<T>();
        LifetimeGuard guard = _tiers.TryTakeMemory(bytes, options, BudgetOf(scope), out long neededBytes)
            ?? WaitForMemory(scope, bytes, options, neededBytes);
        return new OwnedMemory<T>(guard, length);
    }

    private LifetimeGuard TakeImage(RentScope? scope, int width, int height, int pixelBytes, AllocationOptions options, out PixelLayout layout) =>
        _tiers.TryTakeImage(width, height, pixelBytes, options, BudgetOf(scope), out layout, out long neededBytes)
        ?? WaitForImage(scope, width, height, pixelBytes, options, neededBytes, out layout);
}

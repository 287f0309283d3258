using System.Runtime.CompilerServices;
using PixelPool.FixedBlocks;

namespace PixelPool;

/// <summary>
/// Single objects of one size in unmanaged memory: nodes of lists, trees and octrees. They are cut from the same pooled blocks that images use, and cost no
/// managed memory.
/// </summary>
/// <typeparam name="T">The type of the objects.</typeparam>
/// <remarks>
/// <para>
/// Each thread takes objects from blocks of its own (4 MiB unless configured otherwise), without a lock and without interlocked operations. Any thread may free
/// any object. One that another thread allocated goes to a list of that thread, which takes it back when it needs room, so freeing on another thread takes
/// one interlocked operation. When a thread has ended, and the collector has noticed, its blocks go to the next thread that needs one.
/// </para>
/// <para>
/// An object takes as many bytes as <typeparamref name="T"/> has, rounded up to a multiple of 4, and at least the size of a pointer; and up to 5 % more for where
/// it belongs. Its address is a multiple of 8 if that size is one, and a multiple of the size if that is a power of two of at most 128. New objects have
/// undefined content.
/// </para>
/// <para>
/// Each thread keeps one empty block; every further one goes back to the pool at once, is idle memory there, and is trimmed like the blocks of images. An allocator that is
/// dropped without being disposed gives all blocks back when it is finalized. Nothing finds single objects that were forgotten: <see cref="Clear"/> and <see cref="Dispose"/> end them.
/// </para>
/// <para>
/// All members are thread-safe. Pointers are not checked when they are used. A second <see cref="Free"/>, or one of an address that is not an object of this
/// allocator, corrupts memory, unless frees are checked (<see cref="FixedBlockAllocator{T}(PixelAllocatorOptions, bool)"/>).
/// </para>
/// </remarks>
public sealed unsafe class FixedBlockAllocator<T> : IDisposable
    where T : unmanaged
{
    private readonly BlockSupply _supply;
    private readonly FixedSizeHeap _pieces;

    /// <summary>Creates an allocator with a pool of its own. It takes nothing from the system before the first object.</summary>
    /// <param name="options">
    /// The options. Of these are used: block size, capacity, trimming, pressure, time, huge pages and clearing. With a budget (<see cref="PixelAllocatorOptions.MaxRentedBytes"/>, which pays for
    /// whole blocks) it has a <see cref="PixelAllocator"/> of its own instead of a pool: all options are used then. Default: null, which uses the defaults. They are copied, so later changes have no effect.
    /// </param>
    /// <param name="checksFrees">
    /// Whether <see cref="Free"/> finds foreign addresses, and second frees, unless the address was allocated again meanwhile. Default: false. It costs a look-up and an interlocked
    /// operation at each call of <see cref="Allocate"/> and <see cref="Free"/>, several times their own time, and a bit of managed memory per object.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    /// <exception cref="ArgumentNullException">An option that must not be null is null.</exception>
    /// <exception cref="InvalidMemoryOperationException"><typeparamref name="T"/> does not fit into a block, of which a few hundred bytes are its header.</exception>
    [OverloadResolutionPriority(1)] // null means the default options, never a pool or an allocator
    public FixedBlockAllocator(PixelAllocatorOptions? options = null, bool checksFrees = false)
        : this(CreateSupply(options), checksFrees)
    {
    }

    /// <summary>Creates an allocator over a pool that others use, too: allocators of several types share its idle blocks and its capacity.</summary>
    /// <param name="pool">The pool. It stays its owner's. It may be disposed before this allocator: objects stay valid then, and only a further block is refused.</param>
    /// <param name="checksFrees">As for <see cref="FixedBlockAllocator{T}(PixelAllocatorOptions, bool)"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    /// <exception cref="InvalidMemoryOperationException"><typeparamref name="T"/> does not fit into a block, of which a few hundred bytes are its header.</exception>
    public FixedBlockAllocator(UniformUnmanagedMemoryPool pool, bool checksFrees = false)
        : this(CreateSupply(pool), checksFrees)
    {
    }

    /// <summary>Creates an allocator over that of images: objects and images share its pool and its budget.</summary>
    /// <param name="allocator">
    /// The allocator of images. It stays its owner's. It may be disposed before this one: objects stay valid then, and only a further block is refused.
    /// </param>
    /// <param name="checksFrees">As for <see cref="FixedBlockAllocator{T}(PixelAllocatorOptions, bool)"/>.</param>
    /// <remarks>
    /// <para>
    /// Each block is a rent of the allocator. It is charged to the budget (<see cref="PixelAllocatorOptions.MaxRentedBytes"/>), all of its bytes, until it goes back. When the budget has no
    /// room, the empty blocks that threads keep go back first. Then <see cref="Allocate"/> waits for <see cref="PixelAllocatorOptions.RentTimeout"/>, or until another thread frees an object that the waiting thread
    /// allocated, and throws after that. When the pool is full, a block comes from the system, as the memory of an image does.
    /// </para>
    /// <para>
    /// <see cref="PixelAllocator.GetOutstandingRents"/> lists the blocks, with the line that allocated the first object of each. A block in which all objects were freed stays rented while its
    /// thread keeps it; <see cref="Trim"/> gives it back. Blocks are never reported as leaks.
    /// </para>
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> is null.</exception>
    /// <exception cref="InvalidMemoryOperationException"><typeparamref name="T"/> does not fit into a block, of which a few hundred bytes are its header.</exception>
    public FixedBlockAllocator(PixelAllocator allocator, bool checksFrees = false)
        : this(CreateSupply(allocator), checksFrees)
    {
    }

    private FixedBlockAllocator(BlockSupply supply, bool checksFrees)
    {
        _supply = supply;
        _pieces = new FixedSizeHeap(sizeof(T), supply, checksFrees, TypeName.Of(typeof(FixedBlockAllocator<T>)));
    }

    /// <summary>
    /// Objects that are allocated and not freed. Reading it stops all threads that use the allocator for a moment, and takes time in proportion to the blocks, and to the objects that were freed on other threads since.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public long Count => _pieces.Count;

    /// <summary>Allocates an object.</summary>
    /// <returns>Its address. It is valid until <see cref="Free"/>, <see cref="Clear"/> or <see cref="Dispose"/>. The content is undefined.</returns>
    /// <remarks>An allocation that throws has changed nothing: no object and no block is lost, and none stays charged.</remarks>
    /// <exception cref="InvalidMemoryOperationException">
    /// A block is needed, and the pool would hold more than <see cref="PixelAllocatorOptions.MaxPooledBytes"/>. Over a <see cref="PixelAllocator"/> this is not thrown.
    /// </exception>
    /// <exception cref="PixelBudgetExceededException">A block is needed, and the budget has no room for it.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, even after all pools were trimmed, or there is no managed memory.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed. Or a block is needed, and the pool or the allocator that it was given was disposed.</exception>
    public T* Allocate() => (T*)_pieces.Allocate();

    /// <summary>Frees an object, on any thread.</summary>
    /// <param name="item">The address from <see cref="Allocate"/>; it must not be used after the call. Null: nothing happens.</param>
    /// <exception cref="InvalidMemoryOperationException">
    /// Only if frees are checked: the address is not that of an object of this allocator, or the object was freed already. Nothing was changed.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    /// <exception cref="OutOfMemoryException">
    /// The thread uses a <see cref="FixedBlockAllocator{T}"/> for the first time, and there is no managed memory for what the runtime keeps for the thread. Nothing
    /// was changed: the object can be freed again. No other call of this method needs managed memory.
    /// </exception>
    public void Free(T* item)
    {
        if (item != null)
        {
            _pieces.Free((byte*)item);
        }
    }

    /// <summary>
    /// Frees all objects at once, of all threads: every block goes back to the pool. All pointers are invalid afterwards. Other threads may allocate meanwhile: what
    /// they get before is freed, what they get afterwards is not. It takes time in proportion to the blocks, not to the objects.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public void Clear() => _pieces.Clear();

    /// <summary>
    /// Gives the empty blocks that threads keep back to the pool, and every idle block of the pool back to the system, also those that others left there. Objects stay as they are.
    /// </summary>
    /// <returns>Bytes given back to the system.</returns>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public long Trim()
    {
        _pieces.GiveBackEmptyBlocks();
        return _supply.Trim();
    }

    /// <summary>
    /// The statistics of the pool, or of the allocator that was passed to the constructor. They include everything that other code rents from it. Blocks of this allocator count as rented, however many objects are in them.
    /// </summary>
    /// <returns>A copy, which does not change.</returns>
    public PixelPoolStatistics GetStatistics() => _supply.GetStatistics();

    /// <summary>
    /// Frees all objects, and gives all memory back to the system; the blocks of a pool or an allocator that it was given go back there. All pointers are invalid
    /// afterwards. Calling it again does nothing.
    /// </summary>
    public void Dispose() => _pieces.Dispose();

    /// <summary>Type and statistics, for debuggers.</summary>
    public override string ToString() => TypeName.Of(GetType()) + (_pieces.IsDisposed ? ", disposed" : $": {GetStatistics()}");

    // What a budget needs, requests and those who look at it, has an allocator of images.
    private static BlockSupply CreateSupply(PixelAllocatorOptions? options)
    {
        // The settings of the process may have a budget.
        options ??= new PixelAllocatorOptions();
        return options.MaxRentedBytes is null
            ? new PoolSupply(new UniformUnmanagedMemoryPool(options), ownsPool: true)
            : new AllocatorSupply(PixelAllocator.Create(options), ownsAllocator: true);
    }

    private static PoolSupply CreateSupply(UniformUnmanagedMemoryPool pool)
    {
        Throw.IfNull(pool, nameof(pool));
        return new PoolSupply(pool, ownsPool: false);
    }

    private static AllocatorSupply CreateSupply(PixelAllocator allocator)
    {
        Throw.IfNull(allocator, nameof(allocator));
        return new AllocatorSupply(allocator, ownsAllocator: false);
    }
}

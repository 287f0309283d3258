using System.Runtime.CompilerServices;
using PixelPool.Budgets;
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
    /// The options. Of these are used: block size, capacity, budget (<see cref="PixelAllocatorOptions.MaxRentedBytes"/>, which pays for whole blocks), trimming, pressure,
    /// time, huge pages and clearing. Default: null, which uses the defaults. They are copied, so later changes have no effect.
    /// </param>
    /// <param name="checksFrees">
    /// Whether <see cref="Free"/> finds every second free and every foreign address. Default: false. It costs a look-up and an interlocked operation at each call of
    /// <see cref="Allocate"/> and <see cref="Free"/>, several times their own time, and a bit of managed memory per object.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    /// <exception cref="InvalidMemoryOperationException"><typeparamref name="T"/> does not fit into a block, of which a few hundred bytes are its header.</exception>
    [OverloadResolutionPriority(1)] // null means the default options, never a pool
    public FixedBlockAllocator(PixelAllocatorOptions? options = null, bool checksFrees = false)
        : this(CreateSupply(options), checksFrees)
    {
    }

    /// <summary>Creates an allocator over a pool that others use, too: allocators of several types share its idle blocks and its capacity.</summary>
    /// <param name="pool">The pool. It stays its owner's, and must not be disposed before this allocator.</param>
    /// <param name="checksFrees">As for <see cref="FixedBlockAllocator{T}(PixelAllocatorOptions, bool)"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    /// <exception cref="InvalidMemoryOperationException"><typeparamref name="T"/> does not fit into a block, of which a few hundred bytes are its header.</exception>
    public FixedBlockAllocator(UniformUnmanagedMemoryPool pool, bool checksFrees)
        : this(CreateSupply(pool), checksFrees)
    {
    }

    private FixedBlockAllocator(BlockSupply supply, bool checksFrees)
    {
        _supply = supply;
        _pieces = new FixedSizeHeap(sizeof(T), supply, checksFrees, TypeName.Of(typeof(FixedBlockAllocator<T>)));
    }

    /// <summary>
    /// Objects that are allocated and not freed. Exact while no other thread allocates or frees, and close to exact otherwise.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public long Count => _pieces.Count;

    /// <summary>Allocates an object.</summary>
    /// <returns>Its address. It is valid until <see cref="Free"/>, <see cref="Clear"/> or <see cref="Dispose"/>. The content is undefined.</returns>
    /// <exception cref="InvalidMemoryOperationException">A block is needed, and that would be more than <see cref="PixelAllocatorOptions.MaxPooledBytes"/>.</exception>
    /// <exception cref="PixelBudgetExceededException">A block is needed, and the budget has no room for it.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, even after all pools were trimmed, or there is no managed memory.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed, or the pool that it was given.</exception>
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

    /// <summary>Gives the empty blocks that threads keep back to the pool, and every idle block of the pool back to the system. Objects stay as they are.</summary>
    /// <returns>Bytes given back to the system.</returns>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public long Trim()
    {
        _pieces.GiveBackEmptyBlocks();
        return _supply.Pool.TrimTo(0);
    }

    /// <summary>What the pool holds and what it did so far. Blocks of this allocator count as rented, however many objects are in them.</summary>
    public PixelPoolStatistics GetStatistics() => _supply.Pool.Accounts.GetStatistics();

    /// <summary>
    /// Frees all objects, and gives all memory back to the system; the blocks of a pool that it was given go back there. All pointers are invalid
    /// afterwards. Calling it again does nothing.
    /// </summary>
    public void Dispose() => _pieces.Dispose();

    /// <summary>Type, objects and statistics, for debuggers.</summary>
    public override string ToString() =>
        TypeName.Of(GetType()) + (_pieces.IsDisposed ? ", disposed" : $", {Plural.Of(_pieces.Count, "object")}: {GetStatistics()}");

    private static BlockSupply CreateSupply(PixelAllocatorOptions? options)
    {
        options = options?.Validated() ?? new PixelAllocatorOptions();
        MemoryBudget? budget = options.MaxRentedBytes is { } limit ? new MemoryBudget(limit, options.Name ?? nameof(PixelPool)) : null;
        return new BlockSupply(new UniformUnmanagedMemoryPool(options).Blocks, options.ClearOnReturn, budget, ownsPool: true);
    }

    private static BlockSupply CreateSupply(UniformUnmanagedMemoryPool pool)
    {
        Throw.IfNull(pool, nameof(pool));
        return new BlockSupply(pool.Blocks, pool.ClearsOnReturn, budget: null, ownsPool: false);
    }
}

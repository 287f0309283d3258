using PixelPool.Diagnostics;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>
/// A pool of unmanaged blocks of one size (default: 4 MiB). A request rents any number of blocks, and gets either all of them or none.
/// </summary>
/// <remarks>
/// <para>
/// The core of <see cref="PixelAllocator"/>, for code that needs plain blocks. Idle blocks lie in a depot that is striped by processor: each stripe has its own
/// lock, a stack of blocks, and counters, so that threads rent and return without writing to a shared cache line. An empty stripe takes blocks from its
/// neighbours first, and only then from the system. Blocks from the system count against <see cref="MaxPooledBytes"/>, rented or idle. Nothing is mapped,
/// unmapped or cleared while a lock is held.
/// </para>
/// <para>
/// Idle blocks go back to the system by <see cref="PixelAllocatorOptions.TrimPolicy"/>, all of them when memory is short, and when the pool is disposed. A pool
/// that is not disposed frees its idle blocks when it is finalized. Rented blocks stay valid. Blocks of <see cref="TryRent"/> can be returned to a disposed
/// pool; if the pool was finalized instead, they are lost.
/// </para>
/// <para>
/// No meter measures a pool. Its events name it by <see cref="PixelAllocatorOptions.Name"/>; default: "PixelPool". All members are thread-safe.
/// </para>
/// </remarks>
public sealed class UniformUnmanagedMemoryPool : IDisposable
{
    private readonly string _name;
    private readonly RentedBlockRegister _register = new();

    /// <summary>Creates a pool. It takes nothing from the system before the first rent.</summary>
    /// <param name="options">
    /// The options. A pool uses the block size, the capacity, trimming, pressure, time, huge pages, clearing and the name, and ignores the others, such as
    /// <see cref="PixelAllocatorOptions.MaxRentedBytes"/>. Default: null, which uses the defaults. They are copied, so later changes have no effect.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    /// <exception cref="ArgumentNullException">An option that must not be null is null.</exception>
    public UniformUnmanagedMemoryPool(PixelAllocatorOptions? options = null)
    {
        options = options?.Validated() ?? new PixelAllocatorOptions();
        _name = options.Name ?? nameof(PixelPool);
        Blocks = new BlockPool(options, new RentTracking(_name, options).Guards, budget: null);
    }

    /// <summary>Size of one block in bytes.</summary>
    public int BlockBytes => Blocks.BlockBytes;

    /// <summary>
    /// The most bytes the pool holds now, rented and idle together: whole blocks. Without <see cref="PixelAllocatorOptions.MaxPooledBytes"/> it follows the
    /// memory available to the process, except with <see cref="TrimPolicy.None"/>. That memory is checked after collections of generation 2, and every few
    /// seconds while blocks are idle. When it falls below what is held, idle blocks go back to the system, and requests that find too few idle blocks get none.
    /// </summary>
    public long MaxPooledBytes => Blocks.MaxPooledBytes;

    internal BlockPool Blocks { get; }

    internal bool ClearsOnReturn => Blocks.Guards.ClearsOnReturn;

    /// <summary>Rents as many blocks as <paramref name="blocks"/> has places, or none.</summary>
    /// <param name="blocks">
    /// Receives the addresses. Each block has <see cref="BlockBytes"/> bytes, is aligned to 4,096 bytes, and has undefined content. The caller must return the
    /// blocks: nothing detects that they were forgotten.
    /// </param>
    /// <returns>False when that would be more than <see cref="MaxPooledBytes"/>. Nothing was rented then.</returns>
    /// <exception cref="OutOfMemoryException">
    /// The system refused memory, even after all pools were trimmed. A request of more than 1 GiB that is larger than all memory that the process may use fails at once. Linux often refuses
    /// nothing: there, only <see cref="MaxPooledBytes"/> limits what is rented. Nothing was rented.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The pool was disposed.</exception>
    public bool TryRent(Span<nint> blocks)
    {
        Throw.IfDisposed(Blocks.IsDisposed, nameof(UniformUnmanagedMemoryPool));
        if (blocks.IsEmpty)
        {
            return true;
        }

        if (!Blocks.TryGather(blocks, countsAsRent: true, out _))
        {
            return false;
        }

        try
        {
            _register.Add(blocks);
        }
        catch
        {
            Blocks.Return(blocks, wereRented: true);
            throw;
        }

        GC.KeepAlive(this);
        return true;
    }

    /// <summary>Returns blocks of <see cref="TryRent"/>, in any order and grouping, from any thread.</summary>
    /// <param name="blocks">The addresses. They must not be used after the call.</param>
    /// <exception cref="InvalidMemoryOperationException">
    /// An address was not rented from this pool, was returned already and not rented again since, or is named twice. Nothing was returned.
    /// </exception>
    public void Return(ReadOnlySpan<nint> blocks)
    {
        if (!_register.TryRemove(blocks))
        {
            Throw.InvalidMemoryOperation("A block was not rented from this pool, was returned already, or is named twice. Nothing was returned.");
        }

        if (ClearsOnReturn)
        {
            foreach (nint block in blocks)
            {
                BlockSource.Clear(block, BlockBytes);
            }
        }

        Blocks.Return(blocks, wereRented: true);
        GC.KeepAlive(this);
    }

    /// <summary>Gives every idle block back to the system now.</summary>
    /// <returns>Bytes given back.</returns>
    public long Trim() => TrimTo(0);

    /// <summary>Gives idle blocks back to the system until at most <paramref name="idleBytes"/> stay idle.</summary>
    /// <param name="idleBytes">Bytes that may stay idle. Rounded down to whole blocks.</param>
    /// <returns>Bytes given back.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="idleBytes"/> is negative.</exception>
    public long TrimTo(long idleBytes) => Blocks.TrimTo(idleBytes);

    /// <summary>
    /// What the pool holds and what it did so far. The figures are exact while no other thread rents, returns or trims, and close to exact otherwise. Memory that
    /// nobody rents never counts as rented, whatever trims it.
    /// </summary>
    /// <returns>A copy, which does not change.</returns>
    public PixelPoolStatistics GetStatistics() => Blocks.Accounts.GetStatistics();

    /// <summary>
    /// Gives all idle blocks back to the system. Rented blocks stay valid; they go back to the system when they are returned. Calling it again does nothing.
    /// </summary>
    public void Dispose() => Blocks.Dispose();

    /// <summary>Name, blocks, statistics and state, for debuggers.</summary>
    public override string ToString() =>
        $"{_name}, blocks of {ByteSize.Format(BlockBytes)}: {GetStatistics()}{(Blocks.IsDisposed ? ", disposed" : string.Empty)}";
}

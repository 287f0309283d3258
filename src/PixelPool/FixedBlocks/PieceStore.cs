using System.Runtime.CompilerServices;
using PixelPool.Native;
using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

/// <summary>
/// Pieces of one size from pooled blocks, with a heap for each thread. A thread takes and frees pieces of its own blocks with plain loads and stores; pieces
/// of others it pushes on the list of their owner.
/// </summary>
/// <remarks>
/// What concerns several heaps is done while no thread is inside of one: their gates are closed, the thread that does it waits until all have left, and whoever comes then waits at the lock.
/// The gates of a store that was disposed stay closed.
/// </remarks>
internal sealed unsafe partial class PieceStore : IDisposable
{
    private readonly PieceLayout _layout;
    private readonly BlockSupply _supply;
    private readonly PieceMarks? _marks;
    private readonly bool _clearsPieces;
    private readonly bool _isPlain;
    private readonly string _owner;
    private readonly int _slot;

    // Stands for the store in its heaps, which must not keep it alive.
    private readonly object _identity = new();

    /// <param name="itemBytes">Bytes of what is stored in a piece.</param>
    /// <param name="supply">Where the blocks come from.</param>
    /// <param name="checksFrees">Whether wrong frees are always found.</param>
    /// <param name="owner">The type that exceptions name.</param>
    public PieceStore(int itemBytes, BlockSupply supply, bool checksFrees, string owner)
    {
        _layout = new PieceLayout(itemBytes, supply.BlockBytes);
        if (_layout.Capacity == 0)
        {
            supply.Close();
            Throw.InvalidMemoryOperation(
                $"An object of {ByteSize.Format(itemBytes)} does not fit into a block of {ByteSize.Format(supply.BlockBytes)}, of which {CutBlock.Bytes} bytes are its header.");
        }

        _supply = supply;
        _owner = owner;
        _clearsPieces = supply.ClearsOnReturn;
#if DEBUG
        checksFrees = true;
#endif
        _marks = checksFrees ? new PieceMarks(_layout, supply.BlockBytes) : null;
        _isPlain = !checksFrees && !_clearsPieces;

        // Last: nothing can fail behind it, and without it there is nothing to give back.
        _slot = StoreSlots.Take();
    }

    /// <summary>Gives the blocks of a store back that was dropped without being disposed.</summary>
    ~PieceStore() => Close();

    public bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Allocate()
    {
        ThreadHeap? heap = ThreadHeaps.Find(_slot);
        if (heap is not null && _marks is null && heap.Store == _identity && heap.TryEnter())
        {
            // Plain loads and stores, here and in Free: nothing throws unless a wrong free or a write after one has broken a list. So there is no finally block.
            byte* piece = heap.TryTake();
            heap.Leave();
            if (piece != null)
            {
                GC.KeepAlive(this);
                return piece;
            }
        }

        return AllocateSlowly();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(byte* piece)
    {
        ThreadHeap? heap = ThreadHeaps.Find(_slot);
        if (heap is not null && _isPlain && heap.Store == _identity && heap.TryEnter())
        {
            CutBlock* block = _layout.BlockOf(piece);
            if (block->Owner == heap.Index)
            {
                heap.CountFreed();
                CutBlock* emptied = heap.Put(block, piece);
                heap.Leave();
                if (emptied != null)
                {
                    GiveBack(emptied);
                }

                GC.KeepAlive(this);
                return;
            }

            heap.Leave();
        }

        FreeSlowly(piece);
    }

    private void GiveBack(CutBlock* block)
    {
        _marks?.Remove((nint)block);
        _supply.Return((nint)block);
    }

    private void GiveBack(ref EmptyBlocks blocks)
    {
        while (blocks.TryTake(out nint block))
        {
            GiveBack((CutBlock*)block);
        }
    }
}

using System.Runtime.CompilerServices;
using PixelPool.Native;
using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

/// <summary>
/// Pieces of one size from pooled blocks, with a <see cref="ThreadHeap"/> for each thread. A thread takes and frees pieces of its own blocks with plain loads and stores; pieces
/// of others it pushes on the list of their owner.
/// </summary>
/// <remarks>
/// What concerns several heaps is done while no thread is inside of one: their gates are closed, the thread that does it waits until all have left, and whoever comes then waits at the lock.
/// After disposal the gates stay closed.
/// </remarks>
internal sealed unsafe partial class FixedSizeHeap : IDisposable
{
    private readonly PieceLayout _layout;
    private readonly BlockSupply _supply;
    private readonly AllocationBitmap? _bitmap;
    private readonly bool _clearsPieces;
    private readonly bool _isPlain;
    private readonly string _owner;
    private readonly int _slot;

    // Stands for this object in the heaps of threads, which must not keep it alive.
    private readonly object _identity = new();

    /// <param name="itemBytes">Bytes of what is stored in a piece.</param>
    /// <param name="supply">Where the blocks come from.</param>
    /// <param name="checksFrees">Whether wrong frees are always found.</param>
    /// <param name="owner">The type that exceptions name.</param>
    public FixedSizeHeap(int itemBytes, BlockSupply supply, bool checksFrees, string owner)
    {
        _layout = new PieceLayout(itemBytes, supply.BlockBytes);
        if (_layout.Capacity == 0)
        {
            supply.Close();
            Throw.InvalidMemoryOperation(
                $"An object of {ByteSize.Format(itemBytes)} does not fit into a block of {ByteSize.Format(supply.BlockBytes)}, of which {BlockHeader.Bytes} bytes are its header.");
        }

        _supply = supply;
        _owner = owner;
        _clearsPieces = supply.ClearsOnReturn;
#if DEBUG
        checksFrees = true;
#endif
        _bitmap = checksFrees ? new AllocationBitmap(_layout, supply.BlockBytes) : null;
        _isPlain = !checksFrees && !_clearsPieces;

        // Last: nothing can fail behind it, and without it there is nothing to give back.
        _slot = HeapSlots.Take();
    }

    /// <summary>Gives the blocks of a fixed-size heap back that was dropped without being disposed.</summary>
    ~FixedSizeHeap() => Close();

    public bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* Allocate()
    {
        ThreadHeap? heap = ThreadHeaps.Find(_slot);
        if (heap is not null && _bitmap is null && heap.Parent == _identity && heap.TryEnter())
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
        if (heap is not null && _isPlain && heap.Parent == _identity && heap.TryEnter())
        {
            BlockHeader* block = _layout.BlockOf(piece);
            if (block->Owner == heap.Index)
            {
                BlockHeader* emptied = heap.Put(block, piece);
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

    private void GiveBack(BlockHeader* block)
    {
        _bitmap?.Remove((nint)block);
        _supply.Return(block);
    }

    private void GiveBack(ref EmptyBlocks blocks)
    {
        while (blocks.TryTake(out nint block))
        {
            GiveBack((BlockHeader*)block);
        }
    }
}

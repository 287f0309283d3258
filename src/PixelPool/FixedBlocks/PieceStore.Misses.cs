using System.Runtime.CompilerServices;
using PixelPool.Native;

namespace PixelPool.FixedBlocks;

/// <content>What is not common: the first piece of a thread, full blocks, pieces of other threads, and checks.</content>
internal sealed unsafe partial class PieceStore
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte* AllocateSlowly()
    {
        while (true)
        {
            ThreadHeap heap = GetHeap();
            byte* piece = TryAllocate(heap, out bool wasOpen);
            if (piece != null)
            {
                GC.KeepAlive(this);
                return piece;
            }

            if (wasOpen && !TryAdopt(heap))
            {
                AddBlock(heap);
            }
        }
    }

    private byte* TryAllocate(ThreadHeap heap, out bool wasOpen)
    {
        byte* piece = null;
        EmptyBlocks emptied = default;
        wasOpen = heap.TryEnter();
        if (wasOpen)
        {
            piece = heap.TryMakeRoom(ref emptied) ? heap.TryTake() : null;
            if (piece != null)
            {
                _marks?.Mark(piece);
            }

            heap.Leave();
        }

        GiveBack(ref emptied);
        return piece;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void FreeSlowly(byte* piece)
    {
        bool isFree = false;
        bool isChecked = _isPlain;
        while (!isFree)
        {
            ThreadHeap heap = GetHeap();
            if (!heap.TryEnter())
            {
                continue;
            }

            if (!isChecked)
            {
                TakeFromOwner(heap, piece);
                isChecked = true;
            }

            isFree = TryFree(heap, piece, out CutBlock* emptied);
            heap.Leave();
            if (emptied != null)
            {
                GiveBack(emptied);
            }

            if (!isFree)
            {
                // The thread that the piece belonged to has ended.
                TryAdopt(heap);
            }
        }

        GC.KeepAlive(this);
    }

    private void TakeFromOwner(ThreadHeap heap, byte* piece)
    {
        if (_marks?.TryUnmark(piece) == false)
        {
            heap.Leave();
            Throw.InvalidMemoryOperation($"0x{(nint)piece:x} is not the address of an object of this {_owner}, or it was freed already. Nothing was freed.");
        }

        if (_clearsPieces)
        {
            BlockSource.Clear((nint)piece, _layout.PieceBytes);
        }
    }

    private bool TryFree(ThreadHeap heap, byte* piece, out CutBlock* emptied)
    {
        CutBlock* block = _layout.BlockOf(piece);
        emptied = null;
        if (block->Owner == heap.Index)
        {
            emptied = heap.Put(block, piece);
        }
        else
        {
            ThreadHeap owner = Volatile.Read(ref _heaps)[block->Owner]!;
            if (owner.IsAbandoned)
            {
                return false;
            }

            owner.Remote.Push(piece);
        }

        heap.CountFreed();
        return true;
    }

    /// <summary>The heap of this thread. Waits while the store is closed for a moment.</summary>
    /// <exception cref="ObjectDisposedException">The store was disposed.</exception>
    private ThreadHeap GetHeap()
    {
        ThreadHeap? heap = ThreadHeaps.Find(_slot);
        if (heap?.Store == _identity)
        {
            if (heap.IsClosed)
            {
                using (_gate.Hold())
                {
                    ThrowIfDisposed();
                }
            }

            return heap;
        }

        ThrowIfDisposed();
        heap = new ThreadHeap(_layout);
        ThreadHeaps.Set(_slot, heap);
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            AddHeap(heap);
        }

        return heap;
    }

    // Nothing is taken from the pool while a lock is held, or while the thread is inside: others may wait for it.
    private void AddBlock(ThreadHeap heap)
    {
        var block = (CutBlock*)_supply.Take();
        bool isAdded = false;
        try
        {
            _marks?.Add((nint)block);
            while (!isAdded)
            {
                GetHeap();
                if (heap.TryEnter())
                {
                    heap.Add(block);
                    heap.Leave();
                    isAdded = true;
                }
            }
        }
        finally
        {
            if (!isAdded)
            {
                GiveBack(block);
            }
        }
    }
}

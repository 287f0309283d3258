using System.Runtime.CompilerServices;
using PixelPool.Native;

namespace PixelPool.FixedBlocks;

// What is not common: the first piece of a thread, full blocks, pieces of other threads, and checks.
internal sealed unsafe partial class FixedSizeHeap
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte* AllocateSlowly()
    {
        ThreadHeap? heap = null;
        CancellationToken? freed = null;
        try
        {
            while (true)
            {
                heap = FindHeap() ?? CreateHeap();
                byte* piece = TryAllocate(heap);
                if (piece != null)
                {
                    GC.KeepAlive(this);
                    return piece;
                }

                if (!TryAdopt(heap) && !TryAddBlock(heap, freed))
                {
                    // No room, or others freed a piece of this heap. What threads keep makes room; then it looks once more.
                    GiveBackEmptyBlocks();
                    freed = heap.BeginWait();
                }
            }
        }
        finally
        {
            if (freed is not null)
            {
                heap!.EndWait();
            }
        }
    }

    private byte* TryAllocate(ThreadHeap heap)
    {
        byte* piece;
        EmptyBlocks emptied = default;
        Enter(heap);
        try
        {
            piece = heap.TryMakeRoom(ref emptied) ? heap.TryTake() : null;
            if (piece != null)
            {
                _bitmap?.Mark(piece);
            }
        }
        finally
        {
            heap.Leave();
        }

        GiveBack(ref emptied);
        return piece;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void FreeSlowly(byte* piece)
    {
        BlockHeader* emptied = null;
        bool isFree = false;
        while (!isFree)
        {
            ThreadHeap? heap = FindHeap() ?? TryCreateHeap();
            if (heap is null)
            {
                FreeWithoutHeap(piece);
                break;
            }

            Enter(heap);
            bool isPiece;
            try
            {
                isPiece = _bitmap?.TryUnmark(piece) != false;
                isFree = isPiece && TryFree(heap, piece, out emptied);
            }
            finally
            {
                heap.Leave();
            }

            if (!isPiece)
            {
                ThrowNoPiece(piece);
            }

            if (!isFree)
            {
                // The thread that the piece belonged to has ended.
                TryAdopt(heap);
            }
        }

        if (emptied != null)
        {
            GiveBack(emptied);
        }

        GC.KeepAlive(this);
    }

    private bool TryFree(ThreadHeap heap, byte* piece, out BlockHeader* emptied)
    {
        BlockHeader* block = _layout.BlockOf(piece);
        emptied = null;
        if (block->Owner == heap.Index)
        {
            ClearIfAsked(piece);
            emptied = heap.Put(block, piece);
        }
        else
        {
            ThreadHeap owner = Volatile.Read(ref _heaps)[block->Owner]!;
            if (owner.IsAbandoned)
            {
                // As it was: outside of here somebody may clear everything.
                _bitmap?.Mark(piece);
                return false;
            }

            ClearIfAsked(piece);
            owner.Push(piece);
        }

        return true;
    }

    // A thread that has no heap, and no memory for one. Under the lock nobody clears, takes over or disposes; the heap may be that of a thread that has ended.
    private void FreeWithoutHeap(byte* piece)
    {
        bool isPiece;
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            isPiece = _bitmap?.TryUnmark(piece) != false;
            if (isPiece)
            {
                ClearIfAsked(piece);
                _heaps[_layout.BlockOf(piece)->Owner]!.Push(piece);
            }
        }

        if (!isPiece)
        {
            ThrowNoPiece(piece);
        }
    }

    private void ClearIfAsked(byte* piece)
    {
        if (_clearsPieces)
        {
            BlockSource.Clear((nint)piece, _layout.PieceBytes);
        }
    }

    private void ThrowNoPiece(byte* piece) =>
        Throw.InvalidMemoryOperation($"0x{(nint)piece:x} is not the address of an object of this {_owner}, or it was freed already. Nothing was freed.");

    /// <summary>The heap of this thread.</summary>
    /// <returns>Null when the thread has none yet.</returns>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    private ThreadHeap? FindHeap()
    {
        ThreadHeap? heap = ThreadHeaps.Find(_slot);
        if (heap?.Parent != _identity)
        {
            ThrowIfDisposed();
            return null;
        }

        return heap;
    }

    /// <summary>Goes in. While another thread has stopped this one it waits, and goes in before anybody can stop it again.</summary>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    private void Enter(ThreadHeap heap)
    {
        if (!heap.TryEnter())
        {
            using (_gate.Hold())
            {
                // It is open now: only who holds the lock closes it.
                ThrowIfDisposed();
                heap.TryEnter();
            }
        }
    }

    private ThreadHeap CreateHeap()
    {
        var heap = new ThreadHeap(_layout);
        ThreadHeaps.Set(_slot, heap);
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            AddHeap(heap);
        }

        return heap;
    }

    // On the way back: without memory for a heap there is none.
    private ThreadHeap? TryCreateHeap()
    {
        try
        {
            return CreateHeap();
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    // Nothing is taken from the pool while a lock is held, or while the thread is inside: others may wait for it.
    private bool TryAddBlock(ThreadHeap heap, CancellationToken? freed)
    {
        BlockHeader* block = freed is { } token ? Take(heap, token) : _supply.TryTake();
        if (block == null)
        {
            return false;
        }

        BlockHeader* spare = block;
        try
        {
            _bitmap?.Add((nint)block);
            Enter(heap);
            try
            {
                spare = heap.Add(block);
            }
            finally
            {
                heap.Leave();
            }
        }
        finally
        {
            if (spare != null)
            {
                GiveBack(spare);
            }
        }

        return true;
    }

    // Null: the heap got room while it waited.
    private BlockHeader* Take(ThreadHeap heap, CancellationToken freed)
    {
        try
        {
            return _supply.Take(() => MakeRoom(heap, freed), freed);
        }
        catch (OperationCanceledException ended) when (ended.CancellationToken == freed)
        {
            return null;
        }
    }

    // No free tells of what threads have that sleep or have ended. And whom a free had to tell may not have heard of it.
    private void MakeRoom(ThreadHeap heap, CancellationToken freed)
    {
        GiveBackEmptyBlocks();
        TryAdopt(heap);
        if (HasRoom(heap))
        {
            throw new OperationCanceledException(freed);
        }
    }

    private bool HasRoom(ThreadHeap heap)
    {
        bool hasRoom = false;
        EmptyBlocks emptied = default;
        if (heap.TryEnter())
        {
            try
            {
                hasRoom = heap.TryMakeRoom(ref emptied);
            }
            finally
            {
                heap.Leave();
            }
        }

        GiveBack(ref emptied);
        return hasRoom;
    }
}

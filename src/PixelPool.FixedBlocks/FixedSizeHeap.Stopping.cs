using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

// What concerns the heaps of all threads, and is done while none of them is inside.
internal sealed unsafe partial class FixedSizeHeap
{
    private readonly FairLock _gate = new();

    // By index, with gaps. Written under the lock; read by whoever is inside of a heap.
    private ThreadHeap?[] _heaps = new ThreadHeap?[4];

    private int _isDisposed;

    /// <summary>Pieces that are handed out.</summary>
    public long Count
    {
        get
        {
            long count = 0;
            using (Stop())
            {
                ThrowIfDisposed();
                foreach (ThreadHeap? heap in _heaps)
                {
                    count += heap?.CountUsed() ?? 0;
                }
            }

            GC.KeepAlive(this);
            return count;
        }
    }

    /// <summary>Gives all blocks back. All pieces are gone.</summary>
    public void Clear()
    {
        EmptyBlocks taken = default;
        using (Stop())
        {
            ThrowIfDisposed();
            TakeAll(ref taken);
        }

        GiveBack(ref taken);
        GC.KeepAlive(this);
    }

    /// <summary>Gives the blocks back that threads keep although they are empty.</summary>
    public void GiveBackEmptyBlocks()
    {
        EmptyBlocks emptied = default;
        using (Stop())
        {
            ThrowIfDisposed();
            foreach (ThreadHeap? heap in _heaps)
            {
                if (heap is not null)
                {
                    heap.ClaimRemote(ref emptied);
                    heap.TakeEmpty(ref emptied);
                    RemoveIfEnded(heap);
                }
            }
        }

        GiveBack(ref emptied);
        GC.KeepAlive(this);
    }

    public void Dispose()
    {
        Close();
        _supply.Close();
        GC.SuppressFinalize(this);
    }

    private void Close()
    {
        // The constructor failed before it got the last thing: there is nothing to give back, nor a lock.
        if (_slot == HeapSlots.None)
        {
            return;
        }

        EmptyBlocks taken = default;
        using (Stop())
        {
            if (_isDisposed != 0)
            {
                return;
            }

            TakeAll(ref taken);
            Volatile.Write(ref _isDisposed, 1);
        }

        GiveBack(ref taken);
        HeapSlots.Return(_slot);
    }

    // Until the end of what is returned no thread is inside of a heap.
    private StoppedHeaps Stop()
    {
        UninterruptibleLock.Holder holder = _gate.Hold();
        foreach (ThreadHeap? heap in _heaps)
        {
            heap?.Close();
        }

        ProcessBarrier.Issue();
        foreach (ThreadHeap? heap in _heaps)
        {
            heap?.AwaitOwner();
        }

        return new StoppedHeaps(this, holder);
    }

    private void TakeAll(ref EmptyBlocks taken)
    {
        foreach (ThreadHeap? heap in _heaps)
        {
            if (heap is not null)
            {
                heap.TakeAll(ref taken);
                RemoveIfEnded(heap);
            }
        }

        // While nobody is inside: whoever frees one of their pieces afterwards is refused.
        for (BlockHeader* block = taken.First; block != null && _bitmap is not null; block = block->Next)
        {
            _bitmap.Remove((nint)block);
        }
    }

    /// <summary>Takes over what threads that have ended left.</summary>
    /// <returns>False when no such thread left anything.</returns>
    private bool TryAdopt(ThreadHeap heap)
    {
        if (!HasEnded())
        {
            return false;
        }

        EmptyBlocks emptied = default;
        using (Stop())
        {
            ThrowIfDisposed();
            foreach (ThreadHeap? ended in _heaps)
            {
                if (ended is { IsAbandoned: true })
                {
                    heap.Adopt(ended, ref emptied);
                    RemoveIfEnded(ended);
                }
            }
        }

        GiveBack(ref emptied);
        return true;
    }

    private bool HasEnded()
    {
        foreach (ThreadHeap? heap in Volatile.Read(ref _heaps))
        {
            if (heap is { IsAbandoned: true })
            {
                return true;
            }
        }

        return false;
    }

    private void AddHeap(ThreadHeap heap)
    {
        int index = Array.IndexOf(_heaps, null);
        if (index < 0)
        {
            index = _heaps.Length;
            var longer = new ThreadHeap?[2 * index];
            Array.Copy(_heaps, longer, index);
            Volatile.Write(ref _heaps, longer);
        }

        heap.Index = index;
        heap.Parent = _identity;
        Volatile.Write(ref _heaps[index], heap);
    }

    private void RemoveIfEnded(ThreadHeap heap)
    {
        if (heap.IsAbandoned && !heap.HasBlocks)
        {
            _heaps[heap.Index] = null;
        }
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed != 0)
        {
            Throw.Disposed(_owner);
        }
    }

    /// <summary>While it lives, no thread is inside of a heap.</summary>
    private readonly ref struct StoppedHeaps(FixedSizeHeap heap, UninterruptibleLock.Holder holder)
    {
        // Also after an exception: a broken list of pieces, which a wrong free without checks leaves, may throw meanwhile. Of what is disposed the gates stay closed.
        public void Dispose()
        {
            for (int i = 0; i < heap._heaps.Length && heap._isDisposed == 0; i++)
            {
                heap._heaps[i]?.Open();
            }

            holder.Dispose();
        }
    }
}

using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

// What concerns the heaps of all threads, and is done while none of them is inside.
internal sealed unsafe partial class FixedSizeHeap
{
    private readonly UninterruptibleLock _gate = new();

    // By index, with gaps. Written under the lock; read by whoever is inside of a heap.
    private ThreadHeap?[] _heaps = new ThreadHeap?[4];

    // What threads that have ended took and did not free, less what was freed without a heap.
    private long _liveOfEnded;
    private int _isDisposed;

    /// <summary>Pieces that are handed out.</summary>
    public long Count
    {
        get
        {
            using (_gate.Hold())
            {
                ThrowIfDisposed();
                long count = _liveOfEnded;
                foreach (ThreadHeap? heap in _heaps)
                {
                    count += heap?.Live ?? 0;
                }

                // In 32 bits what a thread took may have gone past the end, and what others freed of it, too: their sum has not.
                return (nint)count;
            }
        }
    }

    /// <summary>Gives all blocks back. All pieces are gone.</summary>
    public void Clear()
    {
        EmptyBlocks taken = default;
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            try
            {
                Stop();
                TakeAll(ref taken);
            }
            finally
            {
                Continue();
            }
        }

        GiveBack(ref taken);
        GC.KeepAlive(this);
    }

    /// <summary>Gives the blocks back that threads keep although they are empty.</summary>
    public void GiveBackEmptyBlocks()
    {
        EmptyBlocks emptied = default;
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            try
            {
                Stop();
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
            finally
            {
                Continue();
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
        using (_gate.Hold())
        {
            if (_isDisposed != 0)
            {
                return;
            }

            try
            {
                Stop();
                TakeAll(ref taken);
                Volatile.Write(ref _isDisposed, 1);
            }
            finally
            {
                if (_isDisposed == 0)
                {
                    Continue();
                }
            }
        }

        GiveBack(ref taken);
        HeapSlots.Return(_slot);
    }

    // Under the lock. Whoever calls it lets them go on in a finally block: a broken list of pieces, which a wrong free without checks leaves, may throw in between.
    private void Stop()
    {
        foreach (ThreadHeap? heap in _heaps)
        {
            heap?.Close();
        }

        ProcessBarrier.Issue();
        foreach (ThreadHeap? heap in _heaps)
        {
            heap?.AwaitOwner();
        }
    }

    private void Continue()
    {
        foreach (ThreadHeap? heap in _heaps)
        {
            heap?.Open();
        }
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

        _liveOfEnded = 0;

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
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            try
            {
                Stop();
                foreach (ThreadHeap? ended in _heaps)
                {
                    if (ended is { IsAbandoned: true })
                    {
                        heap.Adopt(ended, ref emptied);
                        RemoveIfEnded(ended);
                    }
                }
            }
            finally
            {
                Continue();
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
            _liveOfEnded += heap.Live;
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
}

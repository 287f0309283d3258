namespace PixelPool.FixedBlocks;

/// <summary>Blocks that no heap has any more, on their way back to the pool: they go when no thread is stopped and no lock is held.</summary>
internal unsafe struct EmptyBlocks
{
    private CutBlock* _first;

    /// <param name="block">A block, or null: nothing is added then.</param>
    public void Add(CutBlock* block)
    {
        if (block != null)
        {
            block->Next = _first;
            _first = block;
        }
    }

    public bool TryTake(out nint block)
    {
        block = (nint)_first;
        if (_first == null)
        {
            return false;
        }

        _first = _first->Next;
        return true;
    }
}

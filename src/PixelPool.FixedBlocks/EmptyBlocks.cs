namespace PixelPool.FixedBlocks;

/// <summary>Blocks that no heap has any more, on their way back to the pool: they go when no thread is stopped and no lock is held.</summary>
internal unsafe struct EmptyBlocks
{
    /// <summary>One of them, linked to the others; null when there is none.</summary>
    public BlockHeader* First { get; private set; }

    /// <param name="block">A block, or null: nothing is added then.</param>
    public void Add(BlockHeader* block)
    {
        if (block != null)
        {
            block->Next = First;
            First = block;
        }
    }

    public bool TryTake(out nint block)
    {
        block = (nint)First;
        if (First == null)
        {
            return false;
        }

        First = First->Next;
        return true;
    }
}

namespace PixelPool.FixedBlocks;

/// <summary>Blocks that are linked through their headers: nothing is allocated to keep them.</summary>
internal unsafe struct BlockHeaderList
{
    public BlockHeader* First { get; private set; }

    /// <summary>Puts a block behind the first one, so that the first stays what it is; or makes it the first.</summary>
    public void Add(BlockHeader* block)
    {
        BlockHeader* before = First;
        block->Previous = before;
        if (before == null)
        {
            block->Next = null;
            First = block;
            return;
        }

        block->Next = before->Next;
        before->Next = block;
        if (block->Next != null)
        {
            block->Next->Previous = block;
        }
    }

    public void Remove(BlockHeader* block)
    {
        if (block->Previous == null)
        {
            First = block->Next;
        }
        else
        {
            block->Previous->Next = block->Next;
        }

        if (block->Next != null)
        {
            block->Next->Previous = block->Previous;
        }
    }

    /// <summary>Pieces that are used in all of them.</summary>
    public readonly long CountUsed()
    {
        long used = 0;
        for (BlockHeader* block = First; block != null; block = block->Next)
        {
            used += block->Used;
        }

        return used;
    }

    /// <summary>Takes the first block out.</summary>
    /// <returns>Null when there is none.</returns>
    public BlockHeader* TakeFirst()
    {
        BlockHeader* block = First;
        if (block != null)
        {
            Remove(block);
        }

        return block;
    }
}

using System.Runtime.CompilerServices;

namespace PixelPool.FixedBlocks;

// Which blocks the heap has: those with room, full ones, the empty one; and how they come and go.
internal sealed unsafe partial class ThreadHeap
{
    /// <summary>Finds room in the blocks of the heap, also that which other threads freed.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryMakeRoom(ref EmptyBlocks emptied)
    {
        if (TryOpen())
        {
            return true;
        }

        // A block that is empty by that begins anew: of it nothing is prepared.
        ClaimRemote(ref emptied);
        return TryOpen();
    }

    /// <summary>Takes over what other threads freed.</summary>
    public void ClaimRemote(ref EmptyBlocks emptied)
    {
        byte* piece = Remote.TakeAll();
        while (piece != null)
        {
            byte* next = *(byte**)piece;
            emptied.Add(Put(_layout.BlockOf(piece), piece));
            piece = next;
        }
    }

    /// <summary>Adds a block that nobody has used. Others may have freed pieces since there was no room: so it may not be the next one that is used, and is one that became empty.</summary>
    /// <returns>A block that is empty and belongs to nobody now, or null.</returns>
    public BlockHeader* Add(BlockHeader* block)
    {
        Adopt(block);
        return OnEmpty(block);
    }

    /// <summary>Takes over all blocks of a thread that has ended. Those without used pieces go back.</summary>
    public void Adopt(ThreadHeap ended, ref EmptyBlocks emptied)
    {
        ended.ClaimRemote(ref emptied);
        ended.TakeEmpty(ref emptied);
        for (BlockHeader* block = ended.TakeAny(); block != null; block = ended.TakeAny())
        {
            Adopt(block);
        }
    }

    /// <summary>Gives up the block that is kept empty.</summary>
    public void TakeEmpty(ref EmptyBlocks emptied)
    {
        if (_empty != null && _empty->Used == 0)
        {
            _open.Remove(_empty);
            emptied.Add(_empty);
            _empty = null;
        }
    }

    /// <summary>Gives up all blocks, with everything that is in them.</summary>
    public void TakeAll(ref EmptyBlocks taken)
    {
        Remote.TakeAll();
        for (BlockHeader* block = TakeAny(); block != null; block = TakeAny())
        {
            taken.Add(block);
        }
    }

    /// <summary>Pieces of its blocks that are handed out. All other threads are stopped.</summary>
    public long CountUsed() => _open.CountUsed() + _full.CountUsed() - Remote.Count();

    // Lets the first block of those with room have a piece to take. What is full is no longer one of them.
    private bool TryOpen()
    {
        while (_open.First != null)
        {
            BlockHeader* block = _open.First;
            if (block->Free != null || block->Fresh != block->FreshEnd || _layout.TryPrepare(block))
            {
                return true;
            }

            _open.Remove(block);
            block->IsFull = true;
            block->Alarm = block->Used - 1;
            _full.Add(block);
        }

        return false;
    }

    // Whether it is full is found out when a piece is wanted from it.
    private void Adopt(BlockHeader* block)
    {
        block->Owner = Index;
        block->IsFull = false;
        block->Alarm = 0;
        _open.Add(block);
    }

    private BlockHeader* TakeAny()
    {
        _empty = null;
        BlockHeader* block = _open.TakeFirst();
        return block != null ? block : _full.TakeFirst();
    }

    // The first piece of a full block came back, or the last one of a block.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private BlockHeader* OnAlarm(BlockHeader* block)
    {
        if (block->IsFull)
        {
            _full.Remove(block);
            block->IsFull = false;
            block->Alarm = block == _empty ? -1 : 0;
            _open.Add(block);
        }

        return block->Used == 0 && block != _empty ? OnEmpty(block) : null;
    }

    private BlockHeader* OnEmpty(BlockHeader* block)
    {
        BlockHeader* other = _empty;
        BlockHeader* spare = null;
        if (other != null && other->Used == 0)
        {
            // Which of them is at work stays.
            spare = block == _open.First ? other : block;
            _open.Remove(spare);
            if (spare == block)
            {
                return spare;
            }
        }
        else if (other != null && !other->IsFull)
        {
            other->Alarm = 0;
        }

        // From the beginning again: the next pieces lie side by side.
        _layout.Open(block);
        block->Alarm = -1;
        _empty = block;
        return spare;
    }
}

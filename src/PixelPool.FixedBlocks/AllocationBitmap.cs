namespace PixelPool.FixedBlocks;

/// <summary>
/// A bit for each piece, set while it is handed out. The bits are kept outside of the blocks, so whatever an address points to, nothing is read there before
/// it is known to be a piece.
/// </summary>
/// <remarks>
/// Readers take no lock: the list of blocks is replaced when one comes. One that goes is forgotten where it is, and leaves the list with the next one that comes:
/// so the way back allocates nothing. Bits are changed with interlocked operations.
/// </remarks>
internal sealed unsafe class AllocationBitmap(PieceLayout layout, int blockBytes)
{
    // In ascending order. Those that are not forgotten do not overlap.
    private BlockBitmap[] _blocks = [];

    public void Add(nint block)
    {
        var added = new BlockBitmap(block, layout.IndexCount);
        BlockBitmap[] before = Volatile.Read(ref _blocks);
        BlockBitmap[] seen;
        while ((seen = Interlocked.CompareExchange(ref _blocks, With(before, added), before)) != before)
        {
            before = seen;
        }
    }

    /// <summary>Forgets a block, if it is known. What is marked in it must not be freed meanwhile.</summary>
    public void Remove(nint block)
    {
        BlockBitmap[] blocks = Volatile.Read(ref _blocks);
        int at = CountUpTo(blocks, block) - 1;
        if (at >= 0 && blocks[at].Address == block)
        {
            blocks[at].Forget();
        }
    }

    /// <summary>Marks a piece that is about to be handed out.</summary>
    public void Mark(byte* piece)
    {
        _ = TryFind(piece, out BlockBitmap block, out int index);
        block.TryChange(index, isSet: true);
    }

    /// <returns>False when that is no piece that is handed out.</returns>
    public bool TryUnmark(byte* piece) => TryFind(piece, out BlockBitmap block, out int index) && block.TryChange(index, isSet: false);

    private bool TryFind(byte* piece, out BlockBitmap block, out int index)
    {
        BlockBitmap[] blocks = Volatile.Read(ref _blocks);
        int at = CountUpTo(blocks, (nint)piece) - 1;
        block = at < 0 ? null! : blocks[at];
        index = at < 0 ? -1 : layout.IndexOf((nint)((nuint)piece - (nuint)block.Address));
        return index >= 0 && (nuint)piece - (nuint)block.Address < (nuint)blockBytes;
    }

    // One that is forgotten just now may still be in the copy: the next one leaves it out, before its memory can be another block's.
    private static BlockBitmap[] With(BlockBitmap[] blocks, BlockBitmap added)
    {
        BlockBitmap[] known = Array.FindAll(blocks, static block => !block.IsForgotten);
        int at = CountUpTo(known, added.Address);
        return [.. known.AsSpan(0, at), added, .. known.AsSpan(at)];
    }

    // How many begin at or below the address.
    private static int CountUpTo(BlockBitmap[] blocks, nint address)
    {
        int low = 0;
        int high = blocks.Length;
        while (low < high)
        {
            int middle = (int)((uint)(low + high) / 2);
            if ((nuint)blocks[middle].Address <= (nuint)address)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }
}

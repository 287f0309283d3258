using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

/// <summary>
/// A bit for each piece, set while it is handed out. The bits are kept outside of the blocks, so whatever an address points to, nothing is read there before
/// it is known to be a piece.
/// </summary>
/// <remarks>Readers take no lock: the list of blocks is replaced when one comes or goes. Bits are changed with interlocked operations.</remarks>
internal sealed unsafe class PieceMarks(PieceLayout layout, int blockBytes)
{
    private readonly UninterruptibleLock _gate = new();

    // In ascending order.
    private MarkedBlock[] _blocks = [];

    public void Add(nint block)
    {
        var added = new MarkedBlock(block, layout.IndexCount);
        using (_gate.Hold())
        {
            int at = CountUpTo(_blocks, block);
            var blocks = new MarkedBlock[_blocks.Length + 1];
            Array.Copy(_blocks, 0, blocks, 0, at);
            blocks[at] = added;
            Array.Copy(_blocks, at, blocks, at + 1, _blocks.Length - at);
            Volatile.Write(ref _blocks, blocks);
        }
    }

    /// <summary>Forgets a block, if it is known.</summary>
    public void Remove(nint block)
    {
        using (_gate.Hold())
        {
            int at = CountUpTo(_blocks, block) - 1;
            if (at < 0 || _blocks[at].Address != block)
            {
                return;
            }

            var blocks = new MarkedBlock[_blocks.Length - 1];
            Array.Copy(_blocks, 0, blocks, 0, at);
            Array.Copy(_blocks, at + 1, blocks, at, blocks.Length - at);
            Volatile.Write(ref _blocks, blocks);
        }
    }

    /// <summary>Forgets all blocks.</summary>
    public void Clear()
    {
        using (_gate.Hold())
        {
            Volatile.Write(ref _blocks, []);
        }
    }

    /// <summary>Marks a piece that is about to be handed out.</summary>
    public void Mark(byte* piece)
    {
        _ = TryFind(piece, out MarkedBlock block, out int index);
        block.TryChange(index, isSet: true);
    }

    /// <returns>False when that is no piece that is handed out.</returns>
    public bool TryUnmark(byte* piece) => TryFind(piece, out MarkedBlock block, out int index) && block.TryChange(index, isSet: false);

    private bool TryFind(byte* piece, out MarkedBlock block, out int index)
    {
        MarkedBlock[] blocks = Volatile.Read(ref _blocks);
        int at = CountUpTo(blocks, (nint)piece) - 1;
        block = at < 0 ? null! : blocks[at];
        index = at < 0 ? -1 : layout.IndexOf((nint)((nuint)piece - (nuint)block.Address));
        return index >= 0 && (nuint)piece - (nuint)block.Address < (nuint)blockBytes;
    }

    // How many begin at or below the address.
    private static int CountUpTo(MarkedBlock[] blocks, nint address)
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

using System.Diagnostics;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>One pooled block cut into pieces of one size. It belongs to a stripe, whose lock guards it. What is known of the pieces is in a table outside of the block.</summary>
/// <param name="owner">The stripe that it belongs to.</param>
/// <param name="pieces">Pieces that a block has.</param>
internal sealed partial class Slab(SlabStripe owner, int pieces) : CacheLineApart
{
    // Unused places at the end of the table: they keep it off the cache lines of the next object.
    private const int TableSlack = 128 / sizeof(int);

    // For each free piece the next one, or -1.
    private readonly int[] _next = new int[pieces + TableSlack];
    private readonly int _pieces = pieces;

    private int _first;

    // From here on pieces were never handed out: their places in the table need not be written when the block is cut.
    private int _untouched;
    private int _used;

    /// <summary>The stripe whose lock guards it.</summary>
    public SlabStripe Owner { get; } = owner;

    /// <summary>The block, or 0 while the slab is only a table.</summary>
    public nint Block { get; private set; }

    /// <summary>Bytes of one piece.</summary>
    public int PieceBytes { get; } = owner.PieceBytes;

    /// <summary>Which of all sizes these are: the smallest one is 0.</summary>
    public int Size { get; } = owner.SizeClass.Index;

    /// <summary>Neighbours in a list of its stripe.</summary>
    public Slab? Previous { get; set; }

    public Slab? Next { get; set; }

    /// <summary>Whether it is in the list of slabs that have no free piece.</summary>
    public bool IsInFullList { get; set; }

    /// <summary>Whether no piece is in use.</summary>
    public bool IsEmpty => _used == 0;

    /// <summary>Whether no piece is free.</summary>
    public bool IsExhausted => _first < 0 && _untouched == _pieces;

    /// <summary>Cuts a block: all pieces are free, the first one is handed out first.</summary>
    public void Open(nint block)
    {
        Block = block;
        _first = -1;
        _untouched = 0;
        _used = 0;
    }

    /// <summary>Ends its use: no piece of it is.</summary>
    /// <returns>The block.</returns>
    public nint Close()
    {
        nint block = Block;
        Block = 0;
        return block;
    }

    /// <summary>Takes a piece. There is one.</summary>
    public nint Take()
    {
        int piece = _first;
        if (piece >= 0)
        {
            _first = _next[piece];
        }
        else
        {
            Debug.Assert(_untouched < _pieces, "no piece is free");
            piece = _untouched++;
        }

        _used++;
        return Block + ((nint)piece * PieceBytes);
    }

    /// <summary>The index of a piece.</summary>
    public int IndexOf(nint address)
    {
        Debug.Assert((ulong)(address - Block) < (ulong)_pieces * (ulong)PieceBytes, "a piece of another slab");
        return (int)((uint)(address - Block) / (uint)PieceBytes);
    }

    /// <summary>Puts a piece back.</summary>
    public void Put(int piece)
    {
        _next[piece] = _first;
        _first = piece;
        _used--;
    }

    /// <summary>Gives a piece back to the slab, and the block to the pool when it was the last one.</summary>
    public void Return(nint address) => Owner.SizeClass.Return(this, address);
}

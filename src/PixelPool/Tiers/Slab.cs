using System.Diagnostics;
using System.Numerics;
using PixelPool.Native;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>One pooled block cut into pieces of one size. It belongs to a stripe, whose lock guards it. What is known of the pieces is in a table outside of the block.</summary>
/// <param name="owner">The stripe that it belongs to.</param>
/// <param name="pieces">Pieces that a block has.</param>
internal sealed class Slab(SlabStripe owner, int pieces) : CacheLineApart
{
    private const int BitsPerWord = 64;

    // Unused places at the end of the table: they keep it off the cache lines of the next object.
    private const int TableSlack = 128 / sizeof(ulong);

    // A bit for each piece: whether it is free. Nothing needs to be written when a block is cut: no piece of the one before was in use at its end.
    private readonly ulong[] _free = AllFree(pieces);

    // In the words before this one nothing is free.
    private int _firstWord;
    private int _used;

    /// <summary>The stripe whose lock guards it.</summary>
    public SlabStripe Owner { get; } = owner;

    /// <summary>The block; of a slab that is only a table, the last one.</summary>
    public nint Block { get; set; }

    /// <summary>Bytes of one piece.</summary>
    public int PieceBytes { get; } = owner.SizeClass.PieceBytes;

    /// <summary>Neighbours in a list of its stripe. Of no meaning while it is in none.</summary>
    public Slab? Previous { get; set; }

    public Slab? Next { get; set; }

    /// <summary>The one of its stripe that had its first block before. Set once, before others see the slab.</summary>
    public Slab? Older { get; set; }

    /// <summary>Whether no piece is in use.</summary>
    public bool IsEmpty => _used == 0;

    /// <summary>Whether no piece is free.</summary>
    public bool IsExhausted => _used == pieces;

    /// <summary>Whether pages of its free pieces are on their way to the system: meanwhile no piece goes or comes.</summary>
    public bool IsDiscarding { get; set; }

    /// <summary>Takes the first piece that is free. There is one. So what is in use comes to lie together, and whole pages become free.</summary>
    public nint Take()
    {
        Debug.Assert(!IsExhausted, "no piece is free");
        while (_free[_firstWord] == 0)
        {
            _firstWord++;
        }

        ref ulong word = ref _free[_firstWord];
        int piece = (_firstWord * BitsPerWord) + BitOperations.TrailingZeroCount(word);
        word &= word - 1;
        _used++;
        return Block + ((nint)piece * PieceBytes);
    }

    /// <summary>The index of a piece.</summary>
    public int IndexOf(nint address)
    {
        Debug.Assert((ulong)(address - Block) < (ulong)pieces * (ulong)PieceBytes, "a piece of another slab");
        return (int)((uint)(address - Block) / (uint)PieceBytes);
    }

    /// <summary>Puts a piece back.</summary>
    public void Put(int piece)
    {
        int word = piece / BitsPerWord;
        _free[word] |= 1UL << (piece % BitsPerWord);
        _firstWord = Math.Min(_firstWord, word);
        _used--;
    }

    /// <summary>Gives a piece back to the slab, and the block to the pool when it was the last one.</summary>
    public void Return(nint address) => Owner.SizeClass.Return(this, address);

    /// <summary>Lets the pages go that lie in none but free pieces. Without the lock, while <see cref="IsDiscarding"/>.</summary>
    /// <param name="source">Where the block is from.</param>
    /// <param name="blockBytes">Bytes of the block.</param>
    public void DiscardPages(BlockSource source, int blockBytes)
    {
        int begin = -1;
        for (int piece = 0; piece < pieces; piece++)
        {
            bool isFree = (_free[piece / BitsPerWord] & (1UL << (piece % BitsPerWord))) != 0;
            if (isFree == (begin >= 0))
            {
                continue;
            }

            if (!isFree)
            {
                DiscardPages((nint)begin * PieceBytes, (nint)piece * PieceBytes, source);
            }

            begin = isFree ? piece : -1;
        }

        // What is behind the last piece is in none.
        DiscardPages((nint)(begin < 0 ? pieces : begin) * PieceBytes, blockBytes, source);
    }

    private void DiscardPages(nint start, nint end, BlockSource source)
    {
        // Blocks begin with a page.
        nint page = Environment.SystemPageSize;
        start = (start + page - 1) & -page;
        end &= -page;
        if (start < end)
        {
            source.Discard(Block + start, end - start);
        }
    }

    // Also the bits behind the last piece: the first free one is taken, and none when as many as there are pieces are in use.
    private static ulong[] AllFree(int pieces)
    {
        var words = new ulong[(pieces / BitsPerWord) + 1 + TableSlack];
        words.AsSpan().Fill(ulong.MaxValue);
        return words;
    }
}

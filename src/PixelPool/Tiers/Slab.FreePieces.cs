using PixelPool.Native;

namespace PixelPool.Tiers;

// Free pieces of a block that is in use: their pages can go back to the system.
internal sealed partial class Slab
{
    private const int BitsPerWord = 64;

    /// <summary>Words that have a bit for each piece.</summary>
    public static int WordsFor(int pieces) => (pieces + BitsPerWord - 1) / BitsPerWord;

    /// <summary>Whether its free pieces are out of it. Under the owner's lock.</summary>
    public bool IsDiscarding { get; private set; }

    /// <summary>Takes all free pieces out, until <see cref="PutFree"/>. Under the owner's lock.</summary>
    public FreePieces TakeFree()
    {
        var free = new FreePieces(_first, _untouched);
        _first = -1;
        _untouched = _pieces;
        IsDiscarding = true;
        return free;
    }

    /// <summary>Puts free pieces back. Under the owner's lock.</summary>
    public void PutFree(FreePieces free)
    {
        if (_first < 0)
        {
            _first = free.First;
        }
        else
        {
            // What came back in the meantime has its pages: it is handed out first.
            int last = _first;
            while (_next[last] >= 0)
            {
                last = _next[last];
            }

            _next[last] = free.First;
        }

        _untouched = free.Untouched;
        IsDiscarding = false;
    }

    /// <summary>Lets the pages go that lie in no piece but those which were taken out.</summary>
    /// <param name="free">The pieces.</param>
    /// <param name="words">For a bit for each piece.</param>
    /// <param name="source">Where the pages go to.</param>
    public void DiscardPages(FreePieces free, Span<ulong> words, BlockSource source)
    {
        words.Clear();
        for (int piece = free.First; piece >= 0; piece = _next[piece])
        {
            words[piece / BitsPerWord] |= 1UL << (piece % BitsPerWord);
        }

        int begin = -1;
        for (int piece = 0; piece < _pieces; piece++)
        {
            bool isFree = piece >= free.Untouched || ((words[piece / BitsPerWord] >> (piece % BitsPerWord)) & 1) != 0;
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
        DiscardPages((nint)(begin < 0 ? _pieces : begin) * PieceBytes, Owner.BlockBytes, source);
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
}

namespace PixelPool.FixedBlocks;

/// <summary>The bits of one block.</summary>
internal sealed class BlockBitmap(nint address, int count)
{
    private const int BitsPerWord = 32;

    // Null: the block went back.
    private int[]? _words = new int[((count - 1) / BitsPerWord) + 1];

    public nint Address { get; } = address;

    /// <summary>True when the block went back: whatever is at its address now, it is no piece.</summary>
    public bool IsForgotten => Volatile.Read(ref _words) is null;

    /// <summary>The block goes back.</summary>
    public void Forget() => Volatile.Write(ref _words, null);

    /// <returns>False when the bit was so already, or the block was forgotten.</returns>
    public bool TryChange(int index, bool isSet)
    {
        if (Volatile.Read(ref _words) is not { } words)
        {
            return false;
        }

        ref int word = ref words[index / BitsPerWord];
        int bit = 1 << (index % BitsPerWord);
        while (true)
        {
            int before = Volatile.Read(ref word);
            if ((before & bit) != 0 == isSet)
            {
                return false;
            }

            if (Interlocked.CompareExchange(ref word, before ^ bit, before) == before)
            {
                return true;
            }
        }
    }
}

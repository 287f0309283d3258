namespace PixelPool.FixedBlocks;

/// <summary>The bits of one block.</summary>
internal sealed class MarkedBlock(nint address, int count)
{
    private const int BitsPerWord = 32;

    private readonly int[] _words = new int[((count - 1) / BitsPerWord) + 1];

    public nint Address { get; } = address;

    /// <returns>False when the bit was so already.</returns>
    public bool TryChange(int index, bool isSet)
    {
        ref int word = ref _words[index / BitsPerWord];
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

using PixelPool.Native;

namespace PixelPool.Lifetime;

/// <content>Memory that came fresh from the system with this rent, and the pages it gets when it is touched. Only misses come here.</content>
internal sealed partial class LifetimeGuard
{
    // Up to here small pages cost no more time than one huge page, and less memory.
    private const long ThinTailBytes = BlockSource.HugePageBytes / 8;

    private long _freshBytes;
    private nint _thinTail;

    /// <summary>How many of the held bytes, the last ones, came fresh from the system.</summary>
    public long FreshBytes => _freshBytes;

    public void SetFresh(long bytes)
    {
        _freshBytes = bytes;
        if (bytes != 0)
        {
            _care |= RentCare.Fresh;
        }
    }

    /// <summary>
    /// Asks for small pages where the image ends in a fresh huge page that it hardly uses: a tail of 100 KiB is to cost 100 KiB of resident memory, not
    /// 2 MiB. To be called after <see cref="SetUsed"/>.
    /// </summary>
    public void ThinTail()
    {
        long start = _usedLastBytes & -BlockSource.HugePageBytes;
        long tail = _usedLastBytes - start;
        long rest = _lastBlockBytes - start;
        if (tail is > 0 and <= ThinTailBytes && rest >= BlockSource.HugePageBytes && rest <= _freshBytes)
        {
            _thinTail = _blocks[_blockCount - 1] + (nint)start;
            _pool.Source.PreferHugePages(_thinTail, BlockSource.HugePageBytes, preferred: false);
        }
    }

    // The next rent may use more of it. And blocks whose pages are asked for in one way can be moved in one piece.
    private void EndFreshness()
    {
        if (_thinTail != 0)
        {
            _pool.Source.PreferHugePages(_thinTail, BlockSource.HugePageBytes, preferred: true);
            _thinTail = 0;
        }

        long fresh = _freshBytes;
        _freshBytes = 0;
        nint start = 0;
        long length = 0;
        for (int i = _blockCount - 1; i >= 0 && fresh > 0; i--)
        {
            long held = i == _blockCount - 1 ? _lastBlockBytes : _blockBytes;
            long measured = Math.Min(fresh, held);
            nint block = _blocks[i] + (nint)(held - measured);
            if (block + (nint)measured != start)
            {
                _pool.ObservePages(start, length);
                length = 0;
            }

            // Fresh blocks mostly lie side by side: one look for all of them.
            start = block;
            length += measured;
            fresh -= measured;
        }

        _pool.ObservePages(start, length);
    }
}

namespace PixelPool.Pooling;

/// <summary>
/// How many blocks a pool may hold, and how many it does: rented and idle. What nobody configured follows the memory that is available: the limits of containers
/// change.
/// </summary>
internal sealed class PoolCapacity
{
    /// <summary>The part of the memory available to the process that the pool takes when nothing was configured.</summary>
    private const int DefaultDivisor = 8;

    /// <summary>
    /// In little memory an eighth would be a block or two. Then of two images that are in use together, what is read and what is made of it, one would come from the system each time. So the pool
    /// may take so much, 4 blocks of the usual size, but no more than a quarter of the memory.
    /// </summary>
    private const long LeastBytes = 16 << 20;

    private const int LeastDivisor = 4;

    /// <summary>The default in a 32-bit process, whose address space is what runs out, and where nobody knows how much memory there is.</summary>
    private const long FallbackBytes = 128L << 20;

    // What a source says may be nonsense: negative, zero, or the "no limit" number of a container. No machine lends a pool more than this.
    private const long MaxBytes = 1L << 40;

    // Far from where counting blocks in an int would overflow, with any number of requests under way.
    private const int MostBlocks = 1 << 28;

    private const int Unknown = -1;

    private readonly int _blockBytes;

    // Null when the capacity was configured, or cannot change.
    private readonly MemoryPressureSource? _source;

    // Unknown until the system is asked. Read without a lock, once per decision: it may be another one a moment later. Lowered, it takes nothing away from anybody who rents: what is rented
    // above it comes back first.
    private int _maxBlocks;
    private int _blocks;
    private int _leaving;

    public PoolCapacity(PixelAllocatorOptions options)
    {
        _blockBytes = options.BlockBytes;
        _source = options.MaxPooledBytes is null && IntPtr.Size != 4 ? options.MemoryPressure : null;

        // What an application says of its memory counts from the start.
        _maxBlocks = options.MaxPooledBytes is { } configured ? (int)Math.Min(configured / _blockBytes, MostBlocks)
            : _source == MemoryPressureSource.System ? Unknown
            : DefaultInBlocks(_source?.GetAvailableBytes() ?? 0, _blockBytes);
    }

    /// <summary>The most blocks that may be held now.</summary>
    public int MaxBlocks
    {
        get
        {
            if (Volatile.Read(ref _maxBlocks) == Unknown)
            {
                Ask();
            }

            int most = Volatile.Read(ref _maxBlocks);
            return most == Unknown ? LeastBlocks : most;
        }
    }

    /// <summary>Blocks that are held now.</summary>
    public int Blocks => Volatile.Read(ref _blocks);

    /// <summary>Bytes of the blocks that are held now, without those that are on their way back to the system.</summary>
    public long BytesThatStay => (long)(Blocks - Volatile.Read(ref _leaving)) * _blockBytes;

    /// <summary>The capacity when nothing was configured: at least one block.</summary>
    public static int DefaultInBlocks(long availableBytes, int blockBytes) =>
        (int)Math.Min(Math.Max(1, DefaultBytes(availableBytes) / blockBytes), MostBlocks);

    public static long DefaultBytes(long availableBytes) =>
        availableBytes <= 0 ? FallbackBytes
            : Math.Min(Math.Max(availableBytes / DefaultDivisor, Math.Min(LeastBytes, availableBytes / LeastDivisor)), MaxBytes);

    /// <summary>Whether so many blocks may be held now.</summary>
    /// <remarks>Of few blocks the system is not asked: that takes a short program as long as its first image. Where memory is so little that they are too many, the scheduler finds out.</remarks>
    public bool MayHold(int blocks) =>
        (Volatile.Read(ref _maxBlocks) == Unknown && blocks <= LeastBlocks) || blocks <= MaxBlocks;

    /// <summary>Takes places for blocks that are about to be got.</summary>
    /// <returns>False when there are not so many: nothing was taken.</returns>
    public bool TryReserve(int blocks)
    {
        // Never more than there are, not even for a moment: others who fit would be refused.
        int held = Blocks;
        while (MayHold(held + blocks))
        {
            int seen = Interlocked.CompareExchange(ref _blocks, held + blocks, held);
            if (seen == held)
            {
                return true;
            }

            held = seen;
        }

        return false;
    }

    /// <summary>Blocks are held no more, or were not got.</summary>
    public void Release(int blocks) => Interlocked.Add(ref _blocks, -blocks);

    /// <summary>Blocks are about to go back to the system: until <see cref="EndLeaving"/> they take up the capacity, and are not held any more.</summary>
    public void BeginLeaving(int blocks) => Interlocked.Add(ref _leaving, blocks);

    /// <summary>They are gone.</summary>
    public void EndLeaving(int blocks)
    {
        // In this order: meanwhile they count as held. Otherwise more than the budget might be.
        Interlocked.Add(ref _leaving, -blocks);
        Release(blocks);
    }

    /// <summary>Looks at the available memory again, if the capacity depends on it. Never throws.</summary>
    /// <returns>Blocks that are held above the capacity now; 0 or less when there are none, or nothing depends on it.</returns>
    public long Refresh()
    {
        Ask();
        return _source is null ? 0 : Blocks - MaxBlocks;
    }

    private int LeastBlocks => (int)Math.Max(1, LeastBytes / _blockBytes);

    // A source that fails, or does not know any more, leaves everything as it is.
    private void Ask()
    {
        if (_source?.TryGetAvailableBytes() is { } available && (available > 0 || Volatile.Read(ref _maxBlocks) == Unknown))
        {
            Volatile.Write(ref _maxBlocks, DefaultInBlocks(available, _blockBytes));
        }
    }
}

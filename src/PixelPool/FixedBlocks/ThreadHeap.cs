using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

/// <summary>The blocks of one thread in one store. Only that thread uses it, with plain loads and stores, or one that has stopped all others.</summary>
/// <remarks>
/// It knows nothing of the store: a thread must not keep alive what the application has dropped. Invariant: a block without used pieces is
/// <see cref="_empty"/>, or was just added. So each thread keeps one empty block, and gives back every further one.
/// </remarks>
internal sealed unsafe partial class ThreadHeap(PieceLayout layout) : CacheLineApart
{
    private readonly PieceLayout _layout = layout;
    private readonly int _stepBytes = layout.StepBytes;

    // Blocks with room: pieces come from the first one. And those without.
    private CutBlockList _open;
    private CutBlockList _full;

    // The block that was the last one to become empty. It may be in use again.
    private CutBlock* _empty;
    private nint _live;
    private int _isInside;
    private int _isAbandoned;
#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>What tells the stores apart; null before the store knows of the heap.</summary>
    public object? Store { get; set; }

    /// <summary>The place of the heap in its store.</summary>
    public int Index { get; set; }

    /// <summary>What other threads freed.</summary>
    public RemoteFrees Remote { get; } = new();

    /// <summary>Pieces that the thread took, less those that it freed, whoever had taken them.</summary>
    public long Live
    {
        get => (nint)Volatile.Read(ref _live);
        set => _live = (nint)value;
    }

    /// <summary>True when the thread has ended.</summary>
    public bool IsAbandoned => Volatile.Read(ref _isAbandoned) != 0;

    public bool HasBlocks => _open.First != null || _full.First != null;

    public void Abandon() => Volatile.Write(ref _isAbandoned, 1);

    /// <summary>
    /// Says that the thread is at work here. Whoever stops all threads first closes the store, then waits for those inside: so the store has to be looked at after
    /// this. The fence between the two is on the side of the one who stops, where the system offers that.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter()
    {
        Volatile.Write(ref _isInside, 1);
#if !NET
        Interlocked.MemoryBarrier();
#endif
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Volatile.Write(ref _isInside, 0);

    public void WaitUntilLeft()
    {
        while (Volatile.Read(ref _isInside) != 0)
        {
            Thread.Yield();
        }
    }

    /// <returns>A piece, or null when the first block has no free and no prepared one.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* TryTake()
    {
        CutBlock* block = _open.First;
        if (block == null)
        {
            return null;
        }

        byte* piece = block->Free;
        if (piece != null)
        {
            block->Free = *(byte**)piece;
        }
        else
        {
            piece = block->Fresh;
            if (piece == block->FreshEnd)
            {
                return null;
            }

            block->Fresh = piece + _stepBytes;
        }

        block->Used++;
        _live++;
        return piece;
    }

    /// <summary>Frees a piece of a block of this heap.</summary>
    /// <returns>A block that is empty and belongs to nobody now, or null.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public CutBlock* Put(CutBlock* block, byte* piece)
    {
        *(byte**)piece = block->Free;
        block->Free = piece;
        return --block->Used == block->Alarm ? OnAlarm(block) : null;
    }

    /// <summary>Counts a piece that the thread freed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountFreed() => _live--;
}

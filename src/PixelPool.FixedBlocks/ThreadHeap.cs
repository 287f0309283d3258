using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

/// <summary>The blocks of one thread in one fixed-size heap. Only that thread uses it, with plain loads and stores, or one that has stopped all others.</summary>
/// <remarks>
/// It knows nothing of the fixed-size heap: a thread must not keep alive what the application has dropped. Invariant: a block without used pieces is
/// <see cref="_empty"/>. So each thread keeps one empty block, and gives back every further one.
/// </remarks>
internal sealed unsafe partial class ThreadHeap(PieceLayout layout) : CacheLineApart
{
    private readonly PieceLayout _layout = layout;
    private readonly int _stepBytes = layout.StepBytes;
    private readonly object _sleepers = new();

    // Blocks with room: pieces come from the first one. And those without.
    private BlockHeaderList _open;
    private BlockHeaderList _full;

    // The block that was the last one to become empty. It may be in use again.
    private BlockHeader* _empty;
    private BiasedLock _gate;
    private int _isAbandoned;
    private CancellationTokenSource? _wait;
#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>Stands for the fixed-size heap, and tells it from others; null before this heap is one of its heaps.</summary>
    public object? Parent { get; set; }

    /// <summary>The place among the heaps of the fixed-size heap.</summary>
    public int Index { get; set; }

    /// <summary>What other threads freed.</summary>
    public RemoteFreeList Remote { get; } = new();

    /// <summary>Before the thread looks for room for the last time, and waits for a block then.</summary>
    /// <returns>Is cancelled when others free a piece of this heap, which serves as well.</returns>
    public CancellationToken BeginWait()
    {
#pragma warning disable CA2000 // Who cancels it may come late. It has nothing to dispose.
        var wait = new CancellationTokenSource();
#pragma warning restore CA2000

        // Before it looks, and a piece is pushed before this is read: one of the two sees the other.
        Interlocked.Exchange(ref _wait, wait);
        return wait.Token;
    }

    public void EndWait() => Volatile.Write(ref _wait, null);

    private static void Cancel(CancellationTokenSource wait) => wait.Cancel();

    /// <summary>Frees a piece of a block of this heap, on another thread.</summary>
    public void Push(byte* piece)
    {
        Remote.Push(piece);
        if (Volatile.Read(ref _wait) is { } wait)
        {
            // It has locks of its own. Who waits also looks for room itself from time to time, so nothing is lost when that is interrupted, or when a call inside of the wait took its place.
            Uninterrupted.Do(&Cancel, wait);
        }
    }

    /// <summary>True when the thread has ended.</summary>
    public bool IsAbandoned => Volatile.Read(ref _isAbandoned) != 0;

    public bool HasBlocks => _open.First != null || _full.First != null;

    public void Abandon() => Volatile.Write(ref _isAbandoned, 1);

    /// <summary>The thread begins to work here.</summary>
    /// <returns>False when it was stopped: it is not inside.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEnter()
    {
        if (_gate.TryEnter())
        {
            return true;
        }

        Leave();
        return false;
    }

    /// <summary>The thread has finished.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave()
    {
        if (_gate.Exit())
        {
            BiasedLock.Wake(_sleepers);
        }
    }

    /// <summary>Begins to stop the thread: see <see cref="BiasedLock"/>.</summary>
    public void Close() => _gate.Close();

    /// <summary>After a <see cref="ProcessBarrier"/>: waits until the thread is outside.</summary>
    public void AwaitOwner() => _gate.AwaitOwner(_sleepers);

    /// <summary>Lets the thread go on.</summary>
    public void Open() => _gate.Open();

    /// <returns>A piece, or null when the first block has no free and no prepared one.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* TryTake()
    {
        BlockHeader* block = _open.First;
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
        return piece;
    }

    /// <summary>Frees a piece of a block of this heap.</summary>
    /// <returns>A block that is empty and belongs to nobody now, or null.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BlockHeader* Put(BlockHeader* block, byte* piece)
    {
        *(byte**)piece = block->Free;
        block->Free = piece;
        return --block->Used == block->Alarm ? OnAlarm(block) : null;
    }
}

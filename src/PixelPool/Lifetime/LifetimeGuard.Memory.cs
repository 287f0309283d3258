using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Budgets;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool.Lifetime;

/// <content>What a guard holds, and the way back to where it came from.</content>
internal sealed partial class LifetimeGuard
{
    // Unused places at the end of the table: they keep it off the cache lines of the next object, which tends to be the guard of another thread.
    private static readonly int s_tableSlack = 128 / IntPtr.Size;

    private nint[] _blocks;
    private int _blockCount;
    private GuardedTier _tier;
    private RentCare _care;
    private byte[]? _array;
    private ArrayPool<byte>? _arrayPool;
    private Slab? _slab;
    private MemoryBudget? _budget;
    private MemoryBudget? _reservation;
    private nint _pin;
    private long _blockBytes;
    private long _lastBlockBytes;
    private long _usedBlockBytes;
    private long _usedLastBytes;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>Blocks the guard can hold without a larger table.</summary>
    public int BlockCapacity => _blocks.Length - s_tableSlack;

    /// <summary>Pieces of memory the rent has; 1 for an array, none where it holds no memory.</summary>
    public int BlockCount => _blockCount;

    /// <summary>The addresses of the pieces: the first <see cref="BlockCount"/> are valid. For an array, where in it the piece begins.</summary>
    public nint[] Blocks => _blocks;

    /// <summary>The array of a small rent, or null.</summary>
    public byte[]? Array => _array;

    /// <summary>Where in the array the rent's bytes begin.</summary>
    public int ArrayOffset => (int)_blocks[0];

    /// <summary>The reservation that is held, or null.</summary>
    public MemoryBudget? Reservation => _reservation;

    /// <summary>Bytes the rent really holds: whole blocks, not only the pixels.</summary>
    public long HeldBytes => _tier == GuardedTier.None ? 0 : (_blockBytes * (_blockCount - 1)) + _lastBlockBytes;

    /// <summary>True when the rent can not be handed out as it is, even if nothing is asked of its memory.</summary>
    public bool NeedsPreparation => (_care & (RentCare.Fresh | RentCare.Clear | RentCare.Look)) != 0;

    /// <summary>A table for <paramref name="count"/> addresses, with room in it.</summary>
    public Span<nint> Reserve(int count)
    {
        if (BlockCapacity < count)
        {
            _blocks = new nint[count + s_tableSlack];
        }

        return _blocks.AsSpan(0, count);
    }

    /// <summary>Takes pooled blocks over, copied from the depot.</summary>
    public void TakeBlocks(ReadOnlySpan<nint> blocks)
    {
        // A copy of one word is no call.
        if (blocks.Length == 1)
        {
            _blocks[0] = blocks[0];
        }
        else
        {
            blocks.CopyTo(_blocks);
        }

        HoldBlocks(blocks.Length);
    }

    /// <summary>Takes over the pooled blocks that were written to <see cref="Reserve"/>.</summary>
    public void HoldBlocks(int count)
    {
        _blockCount = count;
        _tier = GuardedTier.Blocks;
        _blockBytes = _lastBlockBytes = _pool.BlockBytes;
        Open();
    }

    /// <summary>Takes a run of pooled blocks over: one piece.</summary>
    public void HoldRun(BlockRun run)
    {
        _blocks[0] = run.Address;
        _blockCount = 1;
        _tier = GuardedTier.Run;
        _care |= RentCare.OtherTier;
        _blockBytes = _lastBlockBytes = (long)run.Blocks * _pool.BlockBytes;
        Open();
    }

    /// <summary>Takes over the unpooled pieces that were written to <see cref="Reserve"/>.</summary>
    public void HoldUnpooled(int count, long pieceBytes, long lastPieceBytes)
    {
        _blockCount = count;
        _tier = GuardedTier.Unpooled;
        _care |= RentCare.OtherTier;
        _blockBytes = pieceBytes;
        _lastBlockBytes = lastPieceBytes;
        Open();
    }

    public void HoldArray(byte[] array, int offset, ArrayPool<byte> arrayPool)
    {
        _blocks[0] = offset;
        _blockCount = 1;
        _tier = GuardedTier.Array;
        _care |= RentCare.OtherTier;
        _array = array;
        _arrayPool = arrayPool;
        _blockBytes = _lastBlockBytes = array.Length;
        Open();
    }

    public void HoldSlabPiece(Slab slab, nint address)
    {
        _blocks[0] = address;
        _blockCount = 1;
        _tier = GuardedTier.Slab;
        _care |= RentCare.OtherTier;
        _slab = slab;
        _blockBytes = _lastBlockBytes = slab.PieceBytes;
        Open();
    }

    /// <summary>Stands for memory that somebody else holds: no piece of it is known here.</summary>
    public void HoldExternal(long bytes) => HoldNoMemory(GuardedTier.External, bytes);

    /// <summary>Takes over a reservation that the budget around it was charged with.</summary>
    public void HoldReservation(MemoryBudget reservation)
    {
        _reservation = reservation;
        HoldNoMemory(GuardedTier.Reservation, reservation.LimitBytes);
    }

    /// <summary>Bytes that may be written, of every piece and of the last one: what clearing has to cover.</summary>
    public void SetUsed(long bytesPerBlock, long bytesInLastBlock)
    {
        _usedBlockBytes = bytesPerBlock;
        _usedLastBytes = bytesInLastBlock;
    }

    /// <summary>The budget that was charged with <see cref="HeldBytes"/> and gets them back; for a slab's piece, only as far as it is one of a scope.</summary>
    public void SetBudget(MemoryBudget? budget)
    {
        _budget = budget;
        if (budget is not null)
        {
            _care |= RentCare.Budget;
        }
    }

    /// <summary>Clears the used bytes among the first <paramref name="heldBytes"/> that the rent holds: what somebody may have written to before.</summary>
    public void Clear(long heldBytes)
    {
        if (_array is not null)
        {
            _array.AsSpan(ArrayOffset, (int)Math.Min(heldBytes, _usedLastBytes)).Clear();
            return;
        }

        for (int i = 0; i < _blockCount && heldBytes > 0; i++)
        {
            BlockSource.Clear(_blocks[i], Math.Min(heldBytes, i == _blockCount - 1 ? _usedLastBytes : _usedBlockBytes));
            heldBytes -= _blockBytes;
        }
    }

    /// <summary>The address of a piece, for as long as the rent lasts: an array is pinned until its memory is returned.</summary>
    /// <remarks>The caller holds a reference.</remarks>
    public nint PinnedAddress(int block)
    {
        if (_array is null)
        {
            return _blocks[block];
        }

        // On several threads at once the first handle stays. No lock: who waits for one can be interrupted.
        if (Volatile.Read(ref _pin) == IntPtr.Zero)
        {
            var handle = GCHandle.Alloc(_array, GCHandleType.Pinned);
            if (Interlocked.CompareExchange(ref _pin, GCHandle.ToIntPtr(handle), IntPtr.Zero) != IntPtr.Zero)
            {
                handle.Free();
            }
        }

        return GCHandle.FromIntPtr(_pin).AddrOfPinnedObject() + ArrayOffset;
    }

    // Called by exactly one thread per rent: the one that took the references to zero, or the finalizer. From the moment it is parked the guard may
    // belong to the next rent, so everything is read before.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void ReturnMemory()
    {
        if (_care == RentCare.None)
        {
            _tier = GuardedTier.None;
            _pool.ReturnBlocks(this, _blocks.AsSpan(0, _blockCount));
        }
        else if (_care == RentCare.OtherTier)
        {
            GuardedTier tier = _tier;
            long bytes = HeldBytes;
            _tier = GuardedTier.None;
            _care = RentCare.None;
            ReturnTo(tier, bytes);
        }
        else
        {
            ReturnMemoryWithCare();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnMemoryWithCare()
    {
        if (_freshBytes != 0)
        {
            EndFreshness();
        }

        if ((_care & RentCare.Clear) != 0)
        {
            Clear(HeldBytes);
        }

        GuardedTier tier = _tier;
        long bytes = HeldBytes;
        bool announced = (_care & RentCare.Announced) != 0;
        MemoryBudget? budget = _budget;
        _tier = GuardedTier.None;
        _care &= RentCare.Clear;
        _trace = null;
        _holds = null;
        _budget = null;
        try
        {
            ReturnTo(tier, bytes);
        }
        finally
        {
            budget?.Release(bytes, belowRoot: tier == GuardedTier.Slab);
            if (announced)
            {
                _pool.Tracking.AnnounceReturn(bytes);
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnTo(GuardedTier tier, long bytes)
    {
        switch (tier)
        {
            case GuardedTier.Blocks:
                _pool.ReturnBlocks(this, _blocks.AsSpan(0, _blockCount));
                break;

            case GuardedTier.Run:
                ReturnRun(bytes);
                break;

            case GuardedTier.Array:
                ReturnArray(bytes);
                break;

            case GuardedTier.Slab:
                Slab slab = _slab!;
                _slab = null;
                slab.Return(_blocks[0]);
                _pool.ParkGuard(this);
                break;

            case GuardedTier.Unpooled:
                _pool.ReleaseUnpooled(_blocks.AsSpan(0, _blockCount), _blockBytes, _lastBlockBytes);
                _pool.EndBesideBlocks(bytes);
                _pool.ParkGuard(this, bytes);
                _pool.ReportDropped(bytes, "Unpooled");
                break;

            case GuardedTier.External:
                _pool.EndExternal(bytes);
                _pool.ParkGuard(this);
                break;

            case GuardedTier.Reservation:
                MemoryBudget reservation = _reservation!;
                _reservation = null;
                reservation.Close();
                _pool.ParkGuard(this);
                break;
        }
    }

    private void HoldNoMemory(GuardedTier tier, long bytes)
    {
        _blockCount = 0;
        _tier = tier;
        _care |= RentCare.OtherTier;
        _blockBytes = 0;
        _lastBlockBytes = bytes;
        Open();
    }

    private void ReturnRun(long bytes) => _pool.ReturnRun(this, new BlockRun(_blocks[0], (int)(bytes / _pool.BlockBytes)));

    // The application's own ArrayPool may throw: the array is its loss then, the accounts stay right.
    private void ReturnArray(long bytes)
    {
        byte[] array = _array!;
        ArrayPool<byte> arrayPool = _arrayPool!;
        _array = null;
        _arrayPool = null;
        if (_pin != 0)
        {
            GCHandle.FromIntPtr(_pin).Free();
            _pin = 0;
        }

        try
        {
            arrayPool.Return(array);
        }
        catch (ThreadInterruptedException)
        {
            // Pools of arrays have locks of their own. The interrupt is kept for the next time the thread blocks elsewhere.
            Thread.CurrentThread.Interrupt();
        }
        finally
        {
            _pool.EndBesideBlocks(bytes);
            _pool.ParkGuard(this, bytes);
        }
    }
}

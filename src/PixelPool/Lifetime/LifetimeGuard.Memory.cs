using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Budgets;
using PixelPool.Native;

namespace PixelPool.Lifetime;

/// <content>What a guard holds: a table of addresses, and the tier that gets them back.</content>
internal sealed partial class LifetimeGuard
{
    // Unused places at the end of the table: they keep it off the cache lines of the next object, which tends to be the guard of another thread.
    private static readonly int s_tableSlack = 128 / IntPtr.Size;

    private nint[] _blocks;
    private int _blockCount;
    private RentCare _care;

    // A parked guard keeps the tier of its last rent. Most guards never change it, so it is hardly ever written.
    private MemoryTier? _tier;
    private byte[]? _array;
    private MemoryBudget? _payee;
    private object? _attachment;
    private nint _pin;
    private nint _thinTail;
    private long _blockBytes;
    private long _lastBlockBytes;
    private long _usedBlockBytes;
    private long _usedLastBytes;
    private long _freshBytes;

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>Blocks the guard can hold without a larger table.</summary>
    public int BlockCapacity => _blocks.Length - s_tableSlack;

    /// <summary>Pieces of memory the rent has; 1 for an array, none where it holds no memory.</summary>
    public int BlockCount => _blockCount;

    /// <summary>The addresses of the pieces: the first <see cref="BlockCount"/> are valid. For an array, where in it the piece begins.</summary>
    public nint[] Blocks => _blocks;

    /// <summary>The addresses of the pieces.</summary>
    public ReadOnlySpan<nint> Pieces => _blocks.AsSpan(0, _blockCount);

    /// <summary>The array of a small rent, or null.</summary>
    public byte[]? Array => _array;

    /// <summary>Where in the array the rent's bytes begin.</summary>
    public int ArrayOffset => (int)_blocks[0];

    /// <summary>Where the memory goes back to. Null before the first rent.</summary>
    public MemoryTier? Tier => _tier;

    /// <summary>What the tier keeps with the rent, if anything.</summary>
    public object? Attachment => _attachment;

    /// <summary>Bytes of every piece but the last one.</summary>
    public long BlockBytes => _blockBytes;

    /// <summary>Bytes of the last piece.</summary>
    public long LastBlockBytes => _lastBlockBytes;

    /// <summary>Bytes of the last piece that the rent uses: see <see cref="SetUsed"/>.</summary>
    public long UsedLastBytes => _usedLastBytes;

    /// <summary>Bytes the rent really holds: whole blocks, not only the pixels.</summary>
    public long HeldBytes => (_blockBytes * (_blockCount - 1)) + _lastBlockBytes;

    /// <summary>How many of the held bytes, the last ones, came fresh from the system.</summary>
    public long FreshBytes => _freshBytes;

    /// <summary>The huge page behind the image that was asked to be small pages; 0 for none.</summary>
    public nint ThinTail
    {
        get => _thinTail;
        set => _thinTail = value;
    }

    /// <summary>Whether small memory could be rented again as it is: nothing pins it, and nobody but the allocator pays for it.</summary>
    public bool CanHoldAgain => IsPlain && _payee is null && _pin == 0;

    /// <summary>True when nothing but the memory has to go back.</summary>
    public bool IsPlain => _care == RentCare.None;

    /// <summary>True when the rent cannot be handed out as it is, even if nothing is asked of its memory.</summary>
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

    /// <summary>Begins the common rent: takes pooled blocks over, copied from the depot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void HoldBlocks(MemoryTier tier, ReadOnlySpan<nint> blocks, long blockBytes)
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

        Hold(tier, blocks.Length, blockBytes, blockBytes);
    }

    /// <summary>Begins another rent of what the guard kept when the last one ended.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void HoldAgain() => Open();

    /// <summary>As <see cref="HoldAgain"/>, for an array: of that a part serves.</summary>
    public void HoldArrayAgain(int offset)
    {
        _blocks[0] = offset;
        Open();
    }

    /// <summary>Begins a rent of one piece.</summary>
    public void HoldPiece(MemoryTier tier, nint address, long bytes)
    {
        _blocks[0] = address;
        Hold(tier, 1, bytes, bytes);
    }

    /// <summary>Begins a rent of one piece, with which the tier keeps something.</summary>
    public void HoldPiece(MemoryTier tier, nint address, long bytes, object attachment)
    {
        _attachment = attachment;
        HoldPiece(tier, address, bytes);
    }

    /// <summary>Begins a rent of an array, or of a part of it.</summary>
    public void HoldArray(MemoryTier tier, byte[] array, int offset)
    {
        _array = array;
        HoldPiece(tier, offset, array.Length);
    }

    /// <summary>Begins a rent that has no memory, only bytes that are charged.</summary>
    public void HoldBytes(MemoryTier tier, long bytes, object? attachment = null)
    {
        _attachment = attachment;
        Hold(tier, 0, 0, bytes);
    }

    /// <summary>Begins a rent of the pieces that were written to <see cref="Reserve"/>. From here on the finalizer gives them back.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Hold(MemoryTier tier, int count, long blockBytes, long lastBlockBytes)
    {
        if (_tier != tier)
        {
            _tier = tier;
        }

        _blockCount = count;
        _blockBytes = blockBytes;
        _lastBlockBytes = lastBlockBytes;
        Open();
    }

    /// <summary>Says how many bytes, the last ones, came fresh from the system.</summary>
    public void SetFresh(long bytes)
    {
        _freshBytes = bytes;
        if (bytes != 0)
        {
            _care |= RentCare.Fresh;
        }
    }

    /// <summary>Bytes that may be written, of every piece and of the last one: what clearing has to cover.</summary>
    public void SetUsed(long bytesPerBlock, long bytesInLastBlock)
    {
        _usedBlockBytes = bytesPerBlock;
        _usedLastBytes = bytesInLastBlock;
    }

    /// <summary>Says which budget was charged, if it is another one than the allocator's: that of a scope. The tier takes it when it releases it.</summary>
    public void SetPayee(MemoryBudget? budget)
    {
        _payee = budget;
        if (budget is not null)
        {
            _care |= RentCare.Payee;
        }
    }

    /// <summary>Takes the budget that was charged, if it is not the allocator's: the tier releases it, once.</summary>
    public MemoryBudget? TakePayee()
    {
        MemoryBudget? payee = _payee;
        if (payee is not null)
        {
            _payee = null;
        }

        return payee;
    }

    /// <summary>Takes what the tier kept with the rent.</summary>
    public object? TakeAttachment()
    {
        object? attachment = _attachment;
        _attachment = null;
        return attachment;
    }

    /// <summary>Takes the array, which nothing pins any more.</summary>
    public byte[] TakeArray()
    {
        byte[] array = _array!;
        _array = null;
        if (_pin != 0)
        {
            GCHandle.FromIntPtr(_pin).Free();
            _pin = 0;
        }

        return array;
    }

    /// <summary>Clears what the rent used, if the pool clears what is returned. For tiers whose memory others may get next.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ClearForOthers()
    {
        if ((_care & RentCare.Clear) != 0)
        {
            Clear(HeldBytes);
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

    /// <summary>Gives the memory back to its tier. Called by exactly one thread per rent: the one that took the references to zero, or the finalizer.</summary>
    /// <remarks>From the moment it is parked the guard may belong to the next rent, so everything is read before.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void GiveBack()
    {
        if (IsPlain)
        {
            GiveBackPlain();
            return;
        }

        bool announced = (_care & RentCare.Announced) != 0;
        long bytes = HeldBytes;
        string? tag = _tag;
        _care &= RentCare.Clear;
        _trace = null;
        _holds = null;
        _tag = null;
        try
        {
            GiveBackPlain();
        }
        finally
        {
            if (announced)
            {
                _registry.Listener.OnReturned(bytes, tag);
            }
        }
    }

    /// <summary>As <see cref="GiveBack"/>, of a rent with which nothing else is to be done.</summary>
    public void GiveBackPlain() => _tier!.GiveBack(this);

    /// <summary>What came fresh from the system was looked at: it is fresh no more.</summary>
    public void EndFreshness()
    {
        _freshBytes = 0;
        _thinTail = 0;
    }
}

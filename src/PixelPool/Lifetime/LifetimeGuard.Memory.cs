using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Budgets;
using PixelPool.Native;

namespace PixelPool.Lifetime;

// What a guard holds: addresses, and the tier that gets them back.
internal sealed partial class LifetimeGuard
{
    // Unused places at the end of the table: they keep it off the cache lines of the next object, which tends to be the guard of another thread.
    private static readonly int s_tableSlack = 128 / IntPtr.Size;

#if NET
    // The first piece, which most rents have only. So most guards need no table, and a rent of one piece looks at nothing but its guard.
    private nint _first;
    private nint[] _blocks = [];
#else
    private nint[] _blocks = new nint[1 + s_tableSlack];
#endif
    private int _rentedBy;
    private RentFlags _flags;

    /// <summary>Blocks the guard can hold without a larger table.</summary>
    public int BlockCapacity => Math.Max(1, _blocks.Length - s_tableSlack);

    /// <summary>The address of the first piece. For an array, where in it the piece begins.</summary>
    public nint FirstPiece => First;

    /// <summary>Pieces of memory the rent has; 1 for an array.</summary>
    public int BlockCount { get; private set; }

    /// <summary>The addresses of several pieces: the first <see cref="BlockCount"/> are valid. Of a single piece there is only <see cref="FirstPiece"/>.</summary>
    public nint[] Blocks => _blocks;

    /// <summary>The addresses of the pieces.</summary>
    public ReadOnlySpan<nint> Pieces => Addresses(BlockCount);

    /// <summary>The array of a small rent, or null.</summary>
    public byte[]? Array { get; private set; }

    /// <summary>Where the memory goes back to. Null before the first rent. A parked guard keeps that of its last rent: most never change it, so it is hardly ever written.</summary>
    public MemoryTier? Tier { get; private set; }

    /// <summary>What the tier keeps with the rent, if anything.</summary>
    public object? Attachment { get; set; }

    /// <summary>Bytes of every piece but the last one.</summary>
    public long BlockBytes { get; private set; }

    /// <summary>Bytes of the last piece.</summary>
    public long LastBlockBytes { get; private set; }

    /// <summary>Bytes of the last piece that the rent uses: see <see cref="SetUsed"/>.</summary>
    public long UsedLastBytes => _rare.UsedLastBytes;

    /// <summary>Bytes the rent really holds: whole blocks, not only the pixels.</summary>
    public long HeldBytes => (BlockBytes * (BlockCount - 1)) + LastBlockBytes;

    /// <summary>How many of the held bytes, the last ones, came fresh from the system.</summary>
    public long FreshBytes { get; private set; }

    /// <summary>How many of them, the first ones, somebody may have written to before.</summary>
    public long ReusedBytes => HeldBytes - FreshBytes;

    /// <summary>Whether an array is pinned until its memory is returned.</summary>
    public bool IsPinned => _rare.Pin != 0;

    /// <summary>The address of a piece. While the rent ends it may be that of a newer rent.</summary>
    public nint AddressOf(int block) => block == 0 ? First : _blocks[block];

    /// <summary>True when nothing but the memory has to go back.</summary>
    public bool IsPlain => _flags == RentFlags.None;

    /// <summary>True when something is to be done with the memory before it is handed out, even if nothing is asked of it.</summary>
    public bool NeedsPreparation => (_flags & (RentFlags.Fresh | RentFlags.Clear)) != 0;

    /// <summary>A table for <paramref name="count"/> addresses, with room in it.</summary>
    public Span<nint> Reserve(int count)
    {
        if (BlockCapacity < count)
        {
            _blocks = new nint[count + s_tableSlack];
        }

        return Addresses(count);
    }

    /// <summary>Begins a rent of pooled blocks, copied from the depot: the common one; or of the pieces that were written to <see cref="Reserve"/>.</summary>
    /// <remarks>From here on the finalizer gives them back.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void HoldBlocks(MemoryTier tier, ReadOnlySpan<nint> blocks, long blockBytes, long lastBlockBytes)
    {
        // A copy of one word is no call.
        First = blocks[0];
        if (blocks.Length != 1)
        {
            blocks.CopyTo(_blocks);
        }

        Begin(tier, blocks.Length, blockBytes, lastBlockBytes);
    }

    /// <summary>Begins a rent of one piece.</summary>
    /// <param name="tier">Where it goes back to.</param>
    /// <param name="address">Where it begins; 0 for bytes that are only charged.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="attachment">What the tier keeps with the rent, if anything.</param>
    public void HoldPiece(MemoryTier tier, nint address, long bytes, object? attachment = null)
    {
        Attachment = attachment;
        First = address;
        Begin(tier, 1, bytes, bytes);
    }

    /// <summary>Begins a rent of an array, or of a part of it.</summary>
    /// <param name="tier">Where it goes back to.</param>
    /// <param name="array">The array.</param>
    /// <param name="offset">Where in it the rent's bytes begin.</param>
    /// <param name="pin">What pins it, if anything does: freed when the array is taken.</param>
    public void HoldArray(MemoryTier tier, byte[] array, int offset, GCHandle pin)
    {
        Array = array;
        if (pin.IsAllocated)
        {
            _rare.Pin = GCHandle.ToIntPtr(pin);
        }

        HoldPiece(tier, offset, array.Length);
    }

    /// <summary>Says how many bytes, the last ones, came fresh from the system.</summary>
    public void SetFresh(long bytes)
    {
        FreshBytes = bytes;
        if (bytes != 0)
        {
            _flags |= RentFlags.Fresh;
        }
    }

    /// <summary>Bytes that may be written, of every piece and of the last one: what clearing has to cover.</summary>
    public void SetUsed(long bytesPerBlock, long bytesInLastBlock)
    {
        _rare.UsedBlockBytes = bytesPerBlock;
        _rare.UsedLastBytes = bytesInLastBlock;
    }

    /// <summary>Says which budget was charged, if it is another one than the allocator's: that of a scope. The tier takes it when it releases it.</summary>
    public void SetPayee(MemoryBudget? budget)
    {
        _rare.Payee = budget;
        if (budget is not null)
        {
            _flags |= RentFlags.Remembered;
        }
    }

    /// <summary>Takes the budget that was charged, if it is not the allocator's: the tier releases it, once.</summary>
    public MemoryBudget? TakePayee()
    {
        MemoryBudget? payee = _rare.Payee;
        _rare.Payee = null;
        return payee;
    }

    /// <summary>Takes what the tier kept with the rent.</summary>
    public object? TakeAttachment()
    {
        object? attachment = Attachment;
        Attachment = null;
        return attachment;
    }

    /// <summary>Takes the array, which nothing pins any more.</summary>
    public byte[] TakeArray()
    {
        byte[] array = Array!;
        Array = null;
        if (_rare.Pin != 0)
        {
            GCHandle.FromIntPtr(_rare.Pin).Free();
            _rare.Pin = 0;
        }

        return array;
    }

    /// <summary>Clears what the rent used, if the pool clears what is returned. For tiers whose memory others may get next.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ClearForOthers()
    {
        if ((_flags & RentFlags.Clear) != 0)
        {
            Clear(HeldBytes);
        }
    }

    /// <summary>Clears the used bytes among the first <paramref name="heldBytes"/> that the rent holds: what somebody may have written to before.</summary>
    public void Clear(long heldBytes)
    {
        if (Array is not null)
        {
            Array.AsSpan((int)First, (int)Math.Min(heldBytes, _rare.UsedLastBytes)).Clear();
            return;
        }

        ReadOnlySpan<nint> pieces = Pieces;
        for (int i = 0; i < pieces.Length && heldBytes > 0; i++)
        {
            BlockSource.Clear(pieces[i], Math.Min(heldBytes, i == pieces.Length - 1 ? _rare.UsedLastBytes : _rare.UsedBlockBytes));
            heldBytes -= BlockBytes;
        }
    }

    /// <summary>The address of a piece, for as long as the rent lasts: an array is pinned until its memory is returned.</summary>
    /// <remarks>The caller holds a reference.</remarks>
    public nint PinnedAddress(int block)
    {
        if (Array is null)
        {
            return AddressOf(block);
        }

        // On several threads at once the first handle stays. No lock: who waits for one can be interrupted.
        if (Volatile.Read(ref _rare.Pin) == IntPtr.Zero)
        {
            var handle = GCHandle.Alloc(Array, GCHandleType.Pinned);
            if (Interlocked.CompareExchange(ref _rare.Pin, GCHandle.ToIntPtr(handle), IntPtr.Zero) != IntPtr.Zero)
            {
                handle.Free();
            }
        }

        return GCHandle.FromIntPtr(_rare.Pin).AddrOfPinnedObject() + (int)First;
    }

    /// <summary>The lease that begins belongs to a scope, until its rent ends.</summary>
    public ScopedRent JoinScope(RentPayer scope)
    {
        // Another scope that is open may remember the last one.
        if (_rare.Scoped is not { } scoped || (scoped.Scope != scope && !scoped.Scope.HasEnded))
        {
            _rare.Scoped = scoped = new ScopedRent(scope);
        }

        scoped.Scope = scope;
        scoped.Guard = this;
        _flags |= RentFlags.Scoped;
        return scoped;
    }

    /// <summary>The rent has ended: if its scope remembers it, it does so no longer.</summary>
    /// <returns>True when nothing is left to do but to give the memory back.</returns>
    public bool TryLeaveScope()
    {
        if ((_flags & RentFlags.Scoped) != 0)
        {
            _rare.Scoped!.Guard = null;
            _flags &= ~RentFlags.Scoped;
        }

        return IsPlain;
    }

    /// <summary>Gives the memory back to its tier. Called by exactly one thread per rent: the one that took the references to zero, or the finalizer.</summary>
    /// <remarks>From the moment it is parked the guard may belong to the next rent, so everything is read before.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void GiveBack()
    {
        if (TryLeaveScope())
        {
            GiveBackPlain();
            return;
        }

        bool announced = (_flags & RentFlags.Announced) != 0;
        long bytes = HeldBytes;
        string? tag = _rare.Tag;
        _flags &= RentFlags.Clear;
        _rare.Trace = null;
        _rare.Holds = null;
        _rare.Tag = null;
        try
        {
            GiveBackPlain();
        }
        finally
        {
            if (announced)
            {
                _rare.Registry.Listener.OnReturned(bytes, tag);
            }
        }
    }

    /// <summary>As <see cref="GiveBack"/>, of a rent with which nothing else is to be done.</summary>
    public void GiveBackPlain() => Tier!.GiveBack(this);

#if NET
    private ref nint First => ref _first;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<nint> Addresses(int count) => count == 1 ? new Span<nint>(ref _first) : _blocks.AsSpan(0, count);
#else
    private ref nint First => ref _blocks[0];

    private Span<nint> Addresses(int count) => _blocks.AsSpan(0, count);
#endif

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Begin(MemoryTier tier, int count, long blockBytes, long lastBlockBytes)
    {
        if (Tier != tier)
        {
            Tier = tier;
        }

        BlockCount = count;
        BlockBytes = blockBytes;
        LastBlockBytes = lastBlockBytes;
        _rentedBy = Environment.CurrentManagedThreadId;
        Open();
    }
}

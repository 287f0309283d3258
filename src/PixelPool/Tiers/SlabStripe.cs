using System.Diagnostics.CodeAnalysis;
using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool.Tiers;

/// <summary>
/// The slabs of one piece size that the threads of one processor cut, under a lock of their own. One slab without pieces in use is kept, so that a single piece that comes
/// and goes takes no block and returns none. See <see cref="SpareBlockHolder"/>.
/// </summary>
/// <param name="sizeClass">All slabs of that size.</param>
/// <param name="pool">Where blocks come from.</param>
/// <param name="chargedBytes">What a block costs the allocator's budget; 0 without one.</param>
internal sealed partial class SlabStripe(SlabSizeClass sizeClass, BlockPool pool, long chargedBytes) : SpareBlockHolder(pool.Accounts)
{
    // What the tables of spare slabs may take together, about.
    private const int MostSpareBytes = 32 << 10;

    private readonly int _mostSpares = Math.Max(1, MostSpareBytes / (512 + (pool.BlockBytes / sizeClass.PieceBytes * sizeof(int))));
    private SlabList _open;
    private SlabList _full;
    private SlabList _spares;
    private int _spareCount;
    private Slab? _spare;
    private IdleHistory _history = new();

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>All slabs of that size.</summary>
    public SlabSizeClass SizeClass => sizeClass;

    /// <summary>Bytes of one piece.</summary>
    public int PieceBytes => sizeClass.PieceBytes;

    /// <summary>Bytes of a block: pieces fill it, or leave less than one behind the last.</summary>
    public int BlockBytes => pool.BlockBytes;

    /// <summary>The thread that opened the last slab: the stripe migrates with it. A hint, read without the lock.</summary>
    public int OpenedBy { get; private set; }

    /// <inheritdoc/>
    public override bool HasSpare
    {
        get
        {
            Gate.Enter(this);
            try
            {
                return _spare is not null;
            }
            finally
            {
                Gate.Exit(this);
            }
        }
    }

    /// <summary>A hit: a piece of a slab that is open, or of the one that is kept if there is credit for its block.</summary>
    public bool TryTake([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        Gate.Enter(this);
        try
        {
            slab = _open.First ?? TryUseSpare(chargedBytes);
            address = slab is null ? 0 : TakeFrom(slab);
            return slab is not null;
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    /// <summary>As <see cref="TryTake"/>; looks for pieces that were put aside, too.</summary>
    public bool TryDrainRemote([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        Gate.Enter(this);
        try
        {
            slab = _open.First ?? TryReopen() ?? TryUseSpare(chargedBytes);
            address = slab is null ? 0 : TakeFrom(slab);
            return slab is not null;
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    /// <summary>A piece of the slab that is kept; the budget was charged for its block.</summary>
    public bool TryTakeCharged([NotNullWhen(true)] out Slab? slab, out nint address)
    {
        Gate.Enter(this);
        try
        {
            slab = TryUseSpare(credit: 0);
            address = slab is null ? 0 : TakeFrom(slab);
            return slab is not null;
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    /// <summary>A slab without a block.</summary>
    public Slab TakeSpare()
    {
        Slab? spare;
        Gate.Enter(this);
        try
        {
            spare = _spares.First;
            if (spare is not null)
            {
                _spares.Remove(spare);
                _spareCount--;
            }
        }
        finally
        {
            Gate.Exit(this);
        }

        return spare ?? new Slab(this, pool.BlockBytes / PieceBytes);
    }

    /// <summary>Keeps a slab that got no block.</summary>
    public void KeepSpare(Slab spare)
    {
        Gate.Enter(this);
        try
        {
            AddSpare(spare);
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    /// <summary>Cuts a block, and takes a piece of it.</summary>
    public nint Open(Slab spare, nint block)
    {
        Gate.Enter(this);
        try
        {
            OpenedBy = Environment.CurrentManagedThreadId;
            spare.Open(block);
            _open.Add(spare);
            return TakeFrom(spare);
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    /// <summary>Takes a piece back.</summary>
    /// <param name="slab">A slab of this stripe.</param>
    /// <param name="piece">The index of the piece.</param>
    /// <param name="claim">Whether to claim what was put aside: no more can be.</param>
    /// <param name="emptied">The block, if it is to go back to the pool; otherwise 0.</param>
    /// <returns>What else is to be done without the lock.</returns>
    public AfterReturn Return(Slab slab, int piece, bool claim, out nint emptied)
    {
        emptied = 0;
        Gate.Enter(this);
        try
        {
            if (slab.IsInFullList)
            {
                Move(slab, ref _full, ref _open);
            }

            slab.Put(piece);
            if (claim)
            {
                slab.TryClaim();
            }

            return slab.IsEmpty ? Empty(slab, out emptied) : AfterReturn.None;
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    /// <inheritdoc/>
    public override bool TryTakeSpare(out nint block)
    {
        Gate.Enter(this);
        try
        {
            return TryLetGo(_spare, out block);
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    /// <inheritdoc/>
    public override bool TryEndPeriod(TrimPolicy policy, out nint block)
    {
        Gate.Enter(this);
        try
        {
            int due = policy.EndPeriod(ref _history, _spare is null ? 0 : 1);
            return TryLetGo(due == 0 ? null : _spare, out block);
        }
        finally
        {
            Gate.Exit(this);
        }
    }

    private nint TakeFrom(Slab slab)
    {
        nint address = slab.Take();
        if (slab.IsExhausted && !slab.TryClaim())
        {
            Move(slab, ref _open, ref _full);
        }

        return address;
    }

    private static void Move(Slab slab, ref SlabList from, ref SlabList to)
    {
        from.Remove(slab);
        to.Add(slab);
        slab.IsInFullList = !slab.IsInFullList;
    }

    // A slab of which all pieces were in use, until some were put aside.
    private Slab? TryReopen()
    {
        for (Slab? slab = _full.First; slab is not null; slab = slab.Next)
        {
            if (slab.TryClaim())
            {
                Move(slab, ref _full, ref _open);
                return slab;
            }
        }

        return null;
    }

    private Slab? TryUseSpare(long credit)
    {
        if (_spare is not { } slab || !HasCredit(credit))
        {
            return null;
        }

        UseCredit(credit);
        _spare = null;
        _history.Observe(0);
        _open.Add(slab);
        return slab;
    }

    private bool TryLetGo(Slab? slab, out nint block)
    {
        if (slab is null)
        {
            block = 0;
            return false;
        }

        block = slab.Block;
        _spare = null;
        _history.Forget(1);
        AddSpare(slab);
        return true;
    }

    private void AddSpare(Slab slab)
    {
        if (_spareCount < _mostSpares)
        {
            _spares.Add(slab);
            _spareCount++;
        }
    }

    // Nothing is kept when the pool is disposed: whoever disposes it takes what is kept afterwards, under this lock.
    private AfterReturn Empty(Slab slab, out nint emptied)
    {
        // The system is about to take pages of it: the block must stay.
        slab.IsEmptiedLater = slab.IsDiscarding;
        if (slab.IsDiscarding)
        {
            emptied = 0;
            return AfterReturn.AwaitDiscard;
        }

        _open.Remove(slab);
        if (_spare is not null || pool.IsDisposed)
        {
            emptied = slab.Block;
            AddSpare(slab);
            return AfterReturn.ReleaseCharge;
        }

        emptied = 0;
        _spare = slab;
        return (TryKeepCredit(chargedBytes) ? AfterReturn.None : AfterReturn.ReleaseCharge)
            | (pool.IsTrimmed ? AfterReturn.None : AfterReturn.Arm);
    }
}

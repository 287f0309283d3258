using System.Runtime.CompilerServices;
using PixelPool.Lifetime;

namespace PixelPool.Pooling;

// What came last, whatever it is. Most threads return one image and rent the next one of that size: that takes no look at sizes and stacks. What comes while it is
// there goes to the stacks.
internal sealed partial class ThreadCache
{
    private LifetimeGuard? _last;

    // The size that was rented from the stacks last, and the version of what came last when one of that size was returned: if it still has it then, it was not rented in between.
    private sbyte _wanted = Nothing;
    private uint _lastSeen;

    private bool LastIsBlock => _last is { KeptSize: Block };

    private bool LastIsSmall => _last is { KeptSize: not Block };

    private int BlockCount => _blockCount + (LastIsBlock ? 1 : 0);

    private int SmallCount => _small.Count + (LastIsSmall ? 1 : 0);

    /// <summary>The whole rent of what came last, if it is the right size. Called by the owner.</summary>
    /// <param name="bytes">Bytes of the rent; at least 1.</param>
    /// <returns>Null when it is not: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRentLast(int bytes)
    {
        // Looked at before the gate: a thread that never returns has none, and often it is another size. Others may take it meanwhile, but put nothing here.
        LifetimeGuard? guard = _last;
        if (guard is null || !guard.Serves(bytes))
        {
            return null;
        }

        if (_owner.TryEnter() && _last == guard && (guard.KeptSize == Block ? TryUseLastBlock(guard) : TryUseLastSmall(guard, bytes)))
        {
            _last = null;
            guard.HoldAgain();
        }
        else
        {
            guard = null;
        }

        Leave();
        return guard;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryUseLastBlock(LifetimeGuard guard)
    {
        if (!TryUseBlockCredit())
        {
            return false;
        }

        CountBlock(guard);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryUseLastSmall(LifetimeGuard guard, int bytes)
    {
        if (guard.Array is { } array && !TryPlace(guard, array, bytes))
        {
            return false;
        }

        CountSmall(guard, _small.Count);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryKeepAsLast(LifetimeGuard guard)
    {
        if (_last is not null || !(guard.KeptSize == Block ? TryKeepCreditOfBlock() : _small.HasRoomFor(guard.LastBlockBytes)))
        {
            return false;
        }

        _last = guard;
        return true;
    }

    // What came last and is not rented any more leaves its place to what is.
    private bool TryMakePlace(int size)
    {
        if (_last is not { } last || last.KeptSize == size)
        {
            return false;
        }

        uint seen = _lastSeen;
        _lastSeen = last.Version;
        if (seen != _lastSeen)
        {
            return false;
        }

        if (last.KeptSize == Block)
        {
            _blocks[_blockCount++] = last;
        }
        else if (!_small.TryAdd(last.KeptSize, (int)last.LastBlockBytes, last))
        {
            return false;
        }

        _last = null;
        return true;
    }

    private LifetimeGuard? RemoveLast()
    {
        LifetimeGuard? last = _last;
        _last = null;
        return last;
    }
}

using System.Runtime.CompilerServices;
using PixelPool.Lifetime;

namespace PixelPool.Pooling;

// Arrays and pieces of slabs. Caches pass on to each other what one thread returns and another one rents: see SmallExchange.
internal sealed partial class ThreadCache
{
    // Nothing of a size is rented that was full so often in a row. By chance that is rare: once in 2⁸, where as many are rented as returned.
    private const int OnlyReturned = 8;

    /// <summary>The whole rent of an array. Called by the owner.</summary>
    /// <param name="size">The size of arrays that may serve.</param>
    /// <param name="bytes">Bytes of the rent.</param>
    /// <returns>Null when there is no array of that size with room to read beside it: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRentArray(int size, int bytes)
    {
        LifetimeGuard? guard = null;
        if (_owner.TryEnter())
        {
            guard = LastSmall(size);
            if (guard is not null && TryPlace(guard, guard.Array!, bytes))
            {
                RemoveSmall(guard, size);
                guard.HoldAgain();
            }
            else
            {
                guard = null;
            }
        }

        Leave();
        return guard;
    }

    /// <summary>The whole rent of a piece of a slab. Called by the owner.</summary>
    /// <param name="size">The size of the piece.</param>
    /// <returns>Null when there is none: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRentPiece(int size)
    {
        LifetimeGuard? guard = null;
        if (_owner.TryEnter())
        {
            guard = LastSmall(size);
            if (guard is not null)
            {
                RemoveSmall(guard, size);
                guard.HoldAgain();
            }
        }

        Leave();
        return guard;
    }

    /// <summary>Keeps small memory of a guard whose rent has ended. Called by the owner.</summary>
    /// <param name="guard">The guard: it has one array, or one piece, and nothing else is to be done.</param>
    /// <param name="size">The size of what it holds.</param>
    /// <param name="least">The fewest bytes for which that serves.</param>
    /// <returns>False when it does not: nothing was done.</returns>
    public bool TryReturnSmall(LifetimeGuard guard, int size, int least)
    {
        if ((uint)size >= SmallKept.Sizes)
        {
            return false;
        }

        guard.SetKeeper(this, size, least, (int)guard.LastBlockBytes);
        return TryReturnAgain(guard);
    }

    private bool TryKeepSmall(LifetimeGuard guard)
    {
        int size = guard.KeptSize;
        int bytes = (int)guard.LastBlockBytes;
        return _small.TryAdd(size, bytes, guard) || (TryPassOn(size, bytes) && _small.TryAdd(size, bytes, guard));
    }

    // Only what the thread returns and does not rent: others that rent as much as they return would fetch what they pass on, one from the other.
    private bool TryPassOn(int size, int bytes)
    {
        uint last = _last is not null && _last.KeptSize == size ? _last.Version : 0;
        int times = _small.CountFull(size, last);
        bool passed = times >= OnlyReturned && _all.Exchange is { } exchange && exchange.TryTakeOver(ref _small, size, bytes);
        _small.RememberFull(size, last, Math.Min(times, OnlyReturned));
        return passed;
    }

    // Where in an array so many bytes begin. Nobody rents it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryPlace(LifetimeGuard guard, byte[] array, int bytes)
    {
        bool found = ArrayMargin.TryFind(array, bytes, out int offset);
        if (found)
        {
            guard.MoveInArray(offset);
        }

        return found;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private LifetimeGuard? LastSmall(int size) => _small.Last(size) ?? FetchSmall(size);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? FetchSmall(int size) => _all.Exchange is { } exchange && exchange.TryHandOut(ref _small, size) ? _small.Last(size) : null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void RemoveSmall(LifetimeGuard guard, int size)
    {
        _small.RemoveLast(size, (int)guard.LastBlockBytes);
        _wanted = (sbyte)size;
        CountSmall(guard, SmallCount);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountSmall(LifetimeGuard guard, int left)
    {
        _smallHistory.Observe(left);
        Counters.SmallRents++;
        if (CountOther())
        {
            guard.AskForLook();
        }
    }
}

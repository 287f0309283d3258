using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>
/// A tier of an allocator. A request is charged before its memory is taken; whatever fails afterwards takes the charge back and leaves nothing behind. A guard
/// remembers the budget that was charged only if it is another one than the allocator's.
/// </summary>
/// <param name="pool">The depot of guards and blocks, and the accounts.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
internal abstract class AllocatorTier(BlockPool pool, MemoryBudget? budget) : MemoryTier
{
    protected readonly BlockPool Pool = pool;

    protected readonly MemoryBudget? Budget = budget;

    /// <returns>Bytes that the budgets have no room for; 0 when they were charged, or nobody pays.</returns>
    protected static long Charge(RentBudget? payer, long bytes) => payer is null || payer.TryCharge(bytes) ? 0 : bytes;

    /// <summary>Begins a rent of memory that is no block of the pool: charged and counted, with a guard. Whatever fails afterwards takes all of it back.</summary>
    /// <param name="bytes">How many bytes are charged.</param>
    /// <param name="heldBytes">How many bytes are held, and counted.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <param name="external">Whether others hold the memory.</param>
    /// <param name="memory">As for <see cref="BlockPool.TryHold"/>.</param>
    /// <param name="hold">As there.</param>
    /// <returns>Null when the budget has no room, or there is no memory: nothing was taken.</returns>
    protected LifetimeGuard? TryBegin<TMemory>(long bytes, long heldBytes, RentBudget? payer, bool external, TMemory memory, Func<LifetimeGuard, TMemory, bool> hold)
    {
        if (Charge(payer, bytes) != 0)
        {
            return null;
        }

        LifetimeGuard? guard = null;
        try
        {
            Pool.Held.Add(heldBytes, external);
            guard = Pool.TryHold(memory, hold);
            guard?.SetPayee(Remembered(payer));
            return guard;
        }
        finally
        {
            if (guard is null)
            {
                Pool.Held.Remove(heldBytes, external);
                payer?.Release(bytes);
            }
        }
    }

    /// <summary>Begins a rent of bytes for which no memory is got here.</summary>
    /// <param name="bytes">How many: all are charged, if anything pays for them.</param>
    /// <param name="heldBytes">How many of them others hold, which are counted.</param>
    /// <param name="payer">What pays for them, if anything does.</param>
    /// <param name="address">Where they begin, if that is known.</param>
    /// <param name="attachment">What is kept with the rent, if anything.</param>
    /// <returns>Null when the budget has no room: nothing was charged.</returns>
    protected LifetimeGuard? TryBeginExternal(long bytes, long heldBytes, RentBudget? payer, nint address = 0, object? attachment = null) =>
        TryBegin(bytes, heldBytes, payer, external: true, (this, address, bytes, attachment), HoldExternal);

    /// <summary>Ends a rent of memory that is no block of the pool, and was given back.</summary>
    protected void End(LifetimeGuard guard)
    {
        long bytes = guard.HeldBytes;
        MemoryBudget? payee = guard.TakePayee();
        Pool.ParkGuard(guard, bytes);
        LetGo(bytes);
        Release(payee, bytes);
    }

    /// <summary>Such memory is held no more. Its charge ends later.</summary>
    protected void LetGo(long bytes)
    {
        Pool.Accounts.LetGo(bytes);
        Pool.Held.Remove(bytes);
    }

    /// <summary>What a guard remembers of who paid.</summary>
    protected MemoryBudget? Remembered(RentBudget? payer) => payer?.Payee is { } payee && payee != Budget ? payee : null;

    /// <summary>Bytes of the allocator's budget that a rent which it pays for changes.</summary>
    protected long OwnCredit(long bytes) => Budget is null ? 0 : bytes;

    /// <summary>Ends a charge that leaves no credit.</summary>
    /// <param name="payee">What the guard remembers.</param>
    /// <param name="bytes">Bytes that were charged.</param>
    protected void Release(MemoryBudget? payee, long bytes) => (payee ?? Budget)?.Release(bytes);

    private static bool HoldExternal(LifetimeGuard guard, (AllocatorTier Tier, nint Address, long Bytes, object? Attachment) memory)
    {
        guard.HoldPiece(memory.Tier, memory.Address, memory.Bytes, memory.Attachment);
        return true;
    }
}

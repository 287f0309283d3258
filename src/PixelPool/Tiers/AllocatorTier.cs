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
    protected BlockPool Pool { get; } = pool;

    protected MemoryBudget? Budget { get; } = budget;

    /// <returns>Bytes that the budgets have no room for; 0 when they were charged, or nobody pays.</returns>
    protected static long Charge(RentBudget? payer, long bytes) => payer is null || payer.TryCharge(bytes) ? 0 : bytes;

    /// <summary>What a guard remembers of who paid.</summary>
    protected MemoryBudget? Remembered(RentBudget? payer) => payer?.Payee is { } payee && payee != Budget ? payee : null;

    /// <summary>Bytes of the allocator's budget that a rent which it pays for changes.</summary>
    protected long OwnCredit(long bytes) => Budget is null ? 0 : bytes;

    /// <summary>Bytes of the allocator's budget that a return may leave with its stripe.</summary>
    /// <param name="payee">What the guard remembers.</param>
    /// <param name="bytes">Bytes that were charged.</param>
    protected long CreditOf(MemoryBudget? payee, long bytes) => payee is null ? OwnCredit(bytes) : 0;

    /// <summary>Ends a charge that leaves no credit.</summary>
    /// <param name="payee">What the guard remembers.</param>
    /// <param name="bytes">Bytes that were charged.</param>
    protected void Release(MemoryBudget? payee, long bytes) => (payee ?? Budget)?.Release(bytes);
}

using PixelPool.Accounts;
using PixelPool.Budgets;

namespace PixelPool.Pooling;

/// <summary>
/// All that an allocator with a budget holds, rented and idle together, keeps to the budget: what is rented is charged before it is taken, and what is idle makes
/// room before anything is got from elsewhere. A rent of idle blocks does not change what is held: it does not come here.
/// </summary>
/// <param name="budget">The allocator's budget; null: there is none, and nothing is counted.</param>
/// <param name="capacity">The blocks that the pool holds.</param>
/// <param name="accounts">Where what is held beside blocks is counted.</param>
/// <param name="releaseIdle">Gives back as many idle bytes as are asked for, as far as there are so many.</param>
internal sealed class HeldMemory(MemoryBudget? budget, PoolCapacity capacity, MemoryAccounts accounts, Func<long, long> releaseIdle)
{
    private const int MostAttempts = 5;

    /// <summary>Memory that is no block of the pool is about to be held, or is; it is charged already.</summary>
    /// <param name="bytes">How many bytes.</param>
    /// <param name="external">Whether others hold it.</param>
    public void Add(long bytes, bool external = false)
    {
        Count(bytes, external);
        KeepToBudget();
    }

    /// <summary>Such memory is held no more. Its charge ends later.</summary>
    /// <param name="bytes">How many bytes.</param>
    /// <param name="external">Whether others held it.</param>
    public void Remove(long bytes, bool external = false) => Count(-bytes, external);

    /// <summary>Memory is about to be got, or is: idle memory makes room for it. It is counted already.</summary>
    /// <remarks>
    /// Of threads that come here together, the last one sees what all of them hold: each adds its own first. What is charged fits, so what is over the budget is idle and not charged: it lies in stripes, and no rent
    /// with credit changes how much of that is where. Other rents and returns may move it to a stripe that was looked at already: then it is looked for again.
    /// </remarks>
    public void KeepToBudget()
    {
        long released = 0;
        for (int attempt = 0; attempt < MostAttempts && Excess is > 0 and long excess; attempt++)
        {
            // What threads keep goes back in any case: if that is arrays, it may be enough.
            released += releaseIdle(attempt == 0 ? 0 : excess);
        }

        accounts.OnTrimmed(released, TrimReason.Budget);
    }

    /// <summary>Whether so many bytes more can be held without idle memory going back.</summary>
    public bool HasRoom(long bytes) => Excess <= -bytes;

    private long Excess => budget is null ? long.MinValue : capacity.BytesThatStay + accounts.BytesBesideBlocks - budget.LimitBytes;

    private void Count(long bytes, bool external)
    {
        if (external)
        {
            accounts.CountExternal(bytes);
        }

        if (budget is not null)
        {
            accounts.CountBesideBlocks(bytes);
        }
    }
}

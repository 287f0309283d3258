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
    private const int MostAttempts = 4;

    /// <summary>Memory that is no block of the pool is about to be held, or is; it is charged already.</summary>
    /// <param name="bytes">How many bytes.</param>
    /// <param name="external">Whether others hold it.</param>
    public void Add(long bytes, bool external = false)
    {
        if (external)
        {
            accounts.CountExternal(bytes);
        }

        if (budget is not null)
        {
            accounts.CountBesideBlocks(bytes);
            KeepToBudget();
        }
    }

    /// <summary>Such memory is held no more. Its charge ends later.</summary>
    /// <param name="bytes">How many bytes.</param>
    /// <param name="external">Whether others held it.</param>
    public void Remove(long bytes, bool external = false)
    {
        if (budget is not null)
        {
            accounts.CountBesideBlocks(-bytes);
        }

        if (external)
        {
            accounts.CountExternal(-bytes);
        }
    }

    /// <summary>Blocks are about to be got from the system: idle memory makes room for them. They are counted already.</summary>
    /// <remarks>Of threads that come here together, the last one sees what all of them hold: each adds its own first.</remarks>
    public void KeepToBudget()
    {
        if (Excess > 0)
        {
            MakeRoom();
        }
    }

    /// <summary>Whether so many bytes more can be held without idle memory going back.</summary>
    public bool HasRoom(long bytes) => budget is null || Excess <= -bytes;

    private long Excess => budget is null ? 0 : capacity.BytesThatStay + accounts.BytesBesideBlocks - budget.LimitBytes;

    // What is charged fits, so what is over the budget is idle. What is idle may move to a stripe that was looked at
    // already: then it is looked for again.
    private void MakeRoom()
    {
        long released = 0;
        budget!.BeginRecall();
        try
        {
            for (int attempt = 0; attempt < MostAttempts && Excess is > 0 and long excess; attempt++)
            {
                released += releaseIdle(excess);
            }
        }
        finally
        {
            budget.EndRecall();
        }

        accounts.OnTrimmed(released, TrimReason.Budget);
    }
}

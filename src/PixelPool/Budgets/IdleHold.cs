using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// Held while what is charged and idle is taken from where it is kept, until its charge has ended: who looks at both sees neither. When it ends, those who wait for the room are let in.
/// </summary>
internal readonly ref struct IdleHold(MemoryBudget budget, UninterruptibleLock.Holder held)
{
    /// <summary>Of a budget; of none it does nothing.</summary>
    public static IdleHold Of(MemoryBudget? budget) => budget is null ? default : budget.HoldIdle();

    /// <summary>Ends the charge of what was taken.</summary>
    public void EndCharge(long bytes) => budget?.EndIdleCharge(bytes);

    public void Dispose()
    {
        if (budget is not null)
        {
            held.Dispose();
            if (budget.IsWaitedFor)
            {
                budget.Serve();
            }
        }
    }
}

using PixelPool.Threading;

namespace PixelPool.Budgets;

/// <summary>
/// Held while what is charged and idle is taken from where it is kept, until its charge has ended: who looks at both sees neither. When it ends, those who wait for the room are let in.
/// </summary>
internal ref struct IdleHold(MemoryBudget budget, UninterruptibleLock.Holder held)
{
    private bool _isWaitedFor;

    /// <summary>Ends the charge of what was taken.</summary>
    public void EndCharge(long bytes) => _isWaitedFor |= budget.EndIdleCharge(bytes);

    public readonly void Dispose()
    {
        held.Dispose();
        if (_isWaitedFor)
        {
            budget.Serve();
        }
    }
}

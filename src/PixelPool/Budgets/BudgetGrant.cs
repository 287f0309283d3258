namespace PixelPool.Budgets;

/// <summary>
/// Bytes that are charged to a budget already, for one request that waited for them. What the request does not use goes back when the grant is disposed.
/// </summary>
internal sealed class BudgetGrant(MemoryBudget budget, long bytes) : RentBudget, IDisposable
{
    private long _left = bytes;

    public override MemoryBudget Payee => budget;

    public override bool TryCharge(long bytes, bool belowRoot = false)
    {
        if (belowRoot || bytes > _left)
        {
            return budget.TryCharge(bytes, belowRoot);
        }

        _left -= bytes;
        return true;
    }

    public override void Refund(long bytes, bool belowRoot = false)
    {
        if (belowRoot)
        {
            budget.Release(bytes, belowRoot);
        }
        else
        {
            _left += bytes;
        }
    }

    public void Dispose()
    {
        long left = Interlocked.Exchange(ref _left, 0);
        if (left != 0)
        {
            budget.Release(left);
        }
    }
}

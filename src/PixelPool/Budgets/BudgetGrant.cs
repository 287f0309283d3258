namespace PixelPool.Budgets;

/// <summary>
/// What one request got that waited: bytes that are charged to its budgets already, or a piece of a block that is charged, and bytes of all budgets but the allocator's. What the request does not use
/// goes back when the grant is disposed.
/// </summary>
/// <param name="budget">The innermost budget.</param>
/// <param name="bytes">Bytes that are charged.</param>
/// <param name="served">The place in line that was given a piece, if that is how it was served.</param>
internal sealed class BudgetGrant(MemoryBudget budget, long bytes, BudgetWaiter? served) : RentBudget, IDisposable
{
    private readonly bool _belowRoot = served is not null;
    private long _left = bytes;

    public override MemoryBudget Payee => budget;

    public override bool TryCharge(long bytes, bool belowRoot = false)
    {
        if (belowRoot != _belowRoot || bytes > _left)
        {
            return budget.TryCharge(bytes, belowRoot);
        }

        _left -= bytes;
        return true;
    }

    public override void Release(long bytes, bool belowRoot = false)
    {
        if (belowRoot != _belowRoot)
        {
            budget.Release(bytes, belowRoot);
        }
        else
        {
            _left += bytes;
        }
    }

    public override (object Slab, nint Address)? TakePiece() => served?.TakePiece();

    public void Dispose()
    {
        long left = Interlocked.Exchange(ref _left, 0);
        if (left != 0)
        {
            budget.Release(left, _belowRoot);
        }

        served?.ReturnPiece();
    }
}

namespace PixelPool.Budgets;

/// <summary>
/// A request in line for budget. Its task ends when the bytes are charged to it, on a thread of the pool: who returns memory runs nobody else's code.
/// </summary>
internal sealed class BudgetWaiter : TaskCompletionSource<bool>
{
    public BudgetWaiter(long bytes)
        : base(TaskCreationOptions.RunContinuationsAsynchronously)
    {
        Bytes = bytes;
        Place = new LinkedListNode<BudgetWaiter>(this);
    }

    public long Bytes { get; }

    public LinkedListNode<BudgetWaiter> Place { get; }
}

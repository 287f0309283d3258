using PixelPool.Lifetime;

namespace PixelPool.Budgets;

/// <summary>Closes a scope's reservation when the scope is disposed or, if it is forgotten, when it is collected.</summary>
/// <remarks>The scope owns it first, so it ends last: what is rented then is returned to the reservation, which gives all of it back at once.</remarks>
internal sealed class BudgetReservation(MemoryBudget budget) : IRentHandle
{
    private bool _disposed;

    ~BudgetReservation() => budget.Close();

    public bool IsDisposed => Volatile.Read(ref _disposed);

    public void Dispose()
    {
        Volatile.Write(ref _disposed, true);
        budget.Close();
        GC.SuppressFinalize(this);
    }
}

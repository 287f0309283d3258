using PixelPool.Budgets;

namespace PixelPool.Tests.Budgets;

public class BudgetWaitTests
{
    [Fact]
    public void What_was_granted_goes_back_unless_somebody_got_it()
    {
        var outer = new MemoryBudget(4);
        var inner = new MemoryBudget(4, outer, isReservation: false);
        using var observer = new BudgetObserver(nameof(BudgetWaitTests), TimeProvider.System, static () => 0);
        using (var failed = new BudgetWait(inner, 3, observer, default))
        {
            // No memory for the grant itself, say.
            Assert.Null(failed.Next());
        }

        Assert.Equal((0L, 0L), (inner.ChargedBytes, outer.ChargedBytes));
        BudgetGrant grant;
        using (var wait = new BudgetWait(inner, 3, observer, default))
        {
            Assert.Null(wait.Next());
            grant = wait.ToGrant();
        }

        Assert.Equal((3L, 3L), (inner.ChargedBytes, outer.ChargedBytes));
        grant.Dispose();
        Assert.Equal((0L, 0L), (inner.ChargedBytes, outer.ChargedBytes));
    }
}

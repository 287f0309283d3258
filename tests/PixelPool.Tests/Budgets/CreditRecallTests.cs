using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Threading;

namespace PixelPool.Tests.Budgets;

/// <summary>How a budget takes back what stripes keep: only if that helps, and never so that somebody is refused, or overtaken, who would not be without credit.</summary>
public sealed class CreditRecallTests
{
    private const int Limit = 4;

    private readonly MemoryAccounts _accounts = new(new SilentListener());
    private readonly FakeStripe[] _stripes;
    private readonly MemoryBudget _budget;

    public CreditRecallTests()
    {
        _stripes = [new FakeStripe(_accounts), new FakeStripe(_accounts)];
        _accounts.Open(_stripes, passing: new FakeStripe(_accounts));

        // There is no depot, and nothing that threads keep.
        _accounts.PutBack = static () => false;
        _budget = new MemoryBudget(Limit, "test", _accounts);
    }

    [Fact]
    public void Request_that_fits_with_it_takes_it_back()
    {
        Keep(2, 2);
        Assert.True(_budget.TryCharge(3));
        Assert.Equal((3L, 0L), (_budget.ChargedBytes, Credit));
        Assert.True(_budget.TryCharge(1));
        Assert.False(_budget.TryCharge(1));
    }

    /// <summary>A barrier of the process for each thread would cost a refusal more, the more threads there are.</summary>
    [Fact]
    public void Threads_are_stopped_all_together()
    {
        List<string> steps = [];
        _accounts.SetCaches([new StoppedStripe(_accounts, steps), new StoppedStripe(_accounts, steps)]);
        Keep(2, 2);
        Assert.True(_budget.TryCharge(3));
        _budget.Join(new BudgetWaiter(_budget, 4, WaitRank.Other, order: 1, continuation: null));

        // To read the charge, to take the credit, and before somebody waits.
        Assert.Equal(Enumerable.Repeat<string[]>(["begins", "begins", "stands", "stands"], 3).SelectMany(static step => step), steps);
    }

    /// <summary>To find out what is charged and idle stops every thread. That the outermost budget refused follows from the others.</summary>
    [Fact]
    public void Nobody_is_stopped_to_say_who_refused()
    {
        List<string> steps = [];
        _accounts.SetCaches([new StoppedStripe(_accounts, steps)]);
        Keep(2, 2);
        var scope = new MemoryBudget(Limit, _budget, isReservation: false);
        Assert.Same(_budget, scope.RefusedBy(1));
        Assert.Same(_budget, _budget.RefusedBy(1));
        Assert.Same(scope, scope.RefusedBy(Limit + 1));
        Assert.True(scope.TryChargeUpTo(_budget, Limit));
        Assert.Same(scope, scope.RefusedBy(1));
        Assert.Empty(steps);
    }

    [Fact]
    public void Request_that_is_refused_takes_nothing_from_anybody()
    {
        Assert.True(_budget.TryCharge(2));
        Keep(1, 1);
        Assert.False(_budget.TryCharge(3));
        Assert.False(_budget.TryCharge(Limit + 1));
        Assert.Equal((2L, 2L), (_budget.ChargedBytes, Credit));
        Assert.True(_stripes[0].TryUse(1));
    }

    [Fact]
    public void Request_that_goes_its_way_through_the_lines_does_not_stand_in_one_for_credit()
    {
        Keep(2, 2);
        Assert.True(_budget.TryChargeUpTo(_budget.Next, 3));
        Assert.Equal(3, _budget.ChargedBytes);
    }

    [Fact]
    public void Budgets_within_use_the_credit_of_the_outermost()
    {
        Keep(2, 2);
        var scope = new MemoryBudget(8, _budget, isReservation: false);
        Assert.True(scope.TryCharge(4));
        Assert.Equal((4L, 4L, 0L), (scope.ChargedBytes, _budget.ChargedBytes, Credit));
        Assert.False(scope.TryCharge(1));
        scope.Release(4);
        Assert.Equal((0L, 0L), (scope.ChargedBytes, _budget.ChargedBytes));
    }

    [Fact]
    public void Who_is_refused_by_a_scope_is_not_told_that_the_allocator_has_no_room()
    {
        Keep(2, 2);
        var scope = new MemoryBudget(1, _budget, isReservation: false);
        Assert.False(scope.TryCharge(2));
        Assert.Same(scope, scope.RefusedBy(2));
        Assert.Equal(4, Credit);
    }

    /// <summary>Both take credit back at once. What one of them has taken and not yet released must not be missing for the other.</summary>
    [Fact]
    public void Two_that_take_it_back_together_both_get_their_part()
    {
        for (int round = 0; round < 200; round++)
        {
            Keep(round % 5, 4 - (round % 5));
            bool[] charged = new bool[2];
            _stripes[1].Pause();
            using var together = new Barrier(3);
            Thread[] threads = [.. Enumerable.Range(0, 2).Select(i => new Thread(() =>
            {
                together.SignalAndWait();
                charged[i] = _budget.TryCharge(2);
            }))];
            foreach (Thread thread in threads)
            {
                thread.Start();
            }

            together.SignalAndWait();
            Thread.Yield();
            _stripes[1].Resume();

            foreach (Thread thread in threads)
            {
                thread.Join();
            }

            Assert.Equal([true, true], charged);
            Assert.Equal((4L, 0L), (_budget.ChargedBytes, Credit));
            _budget.Release(4);
        }
    }

    [Fact]
    public void Nobody_overtakes_with_credit_who_waits()
    {
        Assert.True(_budget.TryCharge(1));
        Keep(2, 1);
        var waiter = new BudgetWaiter(_budget, 4, WaitRank.Other, order: 1, continuation: null);
        _budget.Join(waiter);
        Assert.Equal((WaiterState.InLine, 0L, 1L), (waiter.State, Credit, _budget.ChargedBytes));
        Assert.False(_stripes[0].TryUse(1));
        Assert.False(_stripes[0].TryKeep(1));
        Assert.False(_budget.TryCharge(1));
        _budget.Release(1);
        Assert.Equal(WaiterState.Granted, waiter.State);
        _budget.Release(4);
        Assert.True(_budget.TryCharge(2));
        Assert.True(_stripes[0].TryKeep(2));
    }

    [Fact]
    public void Lines_that_empty_in_any_way_end_the_recall()
    {
        for (int leavers = 0; leavers < 4; leavers++)
        {
            Assert.True(_budget.TryCharge(4));
            BudgetWaiter[] waiters = [.. Enumerable.Range(0, 3).Select(_ => new BudgetWaiter(_budget, 1, WaitRank.Other, order: 1, continuation: null))];
            foreach (BudgetWaiter waiter in waiters)
            {
                _budget.Join(waiter);
            }

            foreach (BudgetWaiter waiter in waiters.Take(leavers))
            {
                Assert.True(_budget.TryLeave(waiter));
            }

            Assert.Equal(leavers != 3, _accounts.Recall.IsRunning);
            _budget.Release(4);
            Assert.False(_accounts.Recall.IsRunning);
            Assert.Equal(3 - leavers, _budget.ChargedBytes);
            _budget.Release(3 - leavers);

            // One that does not stand in line has nothing to leave.
            Assert.False(_budget.TryLeave(new BudgetWaiter(_budget, 1, WaitRank.Other, order: 1, continuation: null)));
            Assert.False(_accounts.Recall.IsRunning);
        }
    }

    /// <summary>Whoever is refused holds that through a barrier.</summary>
    [Fact]
    public void Who_looks_for_it_comes_before_one_that_looks_again() => InTurn.Check(body =>
    {
        using (_budget.HoldIdle())
        {
            body();
        }
    });

    private long Credit => _stripes.Sum(static stripe => stripe.ChargedIdleBytes);

    private void Keep(int first, int second)
    {
        Assert.True(_budget.TryCharge(first + second));
        Assert.True(_stripes[0].TryKeep(first) && _stripes[1].TryKeep(second));
    }

    // As the stripe of a thread, which waits for a barrier.
    private sealed class StoppedStripe(MemoryAccounts accounts, List<string> steps) : AccountStripe(accounts)
    {
        public override bool BeginPause()
        {
            steps.Add("begins");
            return true;
        }

        public override void AwaitPause()
        {
            steps.Add("stands");
            base.AwaitPause();
        }
    }
}

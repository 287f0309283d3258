using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>One request on its way through the lines: how it ended is what its state says, whatever comes together.</summary>
public sealed class BudgetWaitTests : IDisposable
{
    private readonly BudgetRequests _requests = new(
        new PixelAllocatorOptions(), new MemoryAccounts(new SilentListener()), nameof(PixelAllocator), budget: null, static () => false, static (_, _) => { });
    private readonly MemoryBudget _outer = new(4);
    private readonly MemoryBudget _inner;

    public BudgetWaitTests() => _inner = new MemoryBudget(4, _outer, isReservation: false);

    public void Dispose() => _requests.Dispose();

    [Fact]
    public void What_was_granted_goes_back_unless_somebody_got_it()
    {
        using (BudgetWait failed = Begin(_inner, 3))
        {
            // An exception of another kind, say.
            Assert.Null(failed.Next());
        }

        AssertCharged(inner: 0, outer: 0);
        using (BudgetWait wait = Begin(_inner, 3))
        {
            Assert.Null(wait.Next());
            Assert.True(wait.TryCharge(2));
            AssertCharged(inner: 3, outer: 3);
        }

        AssertCharged(inner: 2, outer: 2);
    }

    /// <summary>Out of line is not granted: the time ended, and before the thread heard of it it was interrupted.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Request_that_has_left_and_is_given_up_releases_nothing(bool waitsForTheOuterOne)
    {
        Assert.True(waitsForTheOuterOne ? _outer.TryCharge(4) : _inner.TryCharge(4));
        long inner = _inner.ChargedBytes;
        using (BudgetWait wait = Begin(_inner, 3))
        {
            BudgetWaiter waiter = wait.Next()!;
            Assert.True(waiter.Budget.TryLeave(waiter));
            Assert.Equal(waitsForTheOuterOne ? 3 : inner, _inner.ChargedBytes);
        }

        AssertCharged(inner, outer: 4);
        PixelPoolStatistics statistics = _requests.GetStatistics();
        Assert.Equal((0, 1), (statistics.WaitingRents, statistics.Waits));
    }

    [Fact]
    public void Request_that_was_granted_and_is_given_up_releases_what_it_got_once()
    {
        Assert.True(_outer.TryCharge(4));
        using (BudgetWait wait = Begin(_inner, 3))
        {
            BudgetWaiter waiter = wait.Next()!;
            _outer.Release(4);
            Assert.Equal(WaiterState.Granted, waiter.State);
            AssertCharged(inner: 3, outer: 3);

            // Too late: it is granted.
            wait.End(WaitOutcome.TimedOut);
            Assert.Equal(WaiterState.Granted, waiter.State);
        }

        AssertCharged(inner: 0, outer: 0);
    }

    [Fact]
    public void Request_that_was_ended_between_two_lines_waits_in_neither()
    {
        Assert.True(_outer.TryCharge(4));
        Assert.True(_inner.TryChargeUpTo(_inner.Next, 4));
        using (BudgetWait wait = Begin(_inner, 3))
        {
            BudgetWaiter waiter = wait.Next()!;
            _inner.ReleaseUpTo(_inner.Next, 4);
            Assert.Equal(WaiterState.Granted, waiter.State);
            wait.End(WaitOutcome.Disposed);
            Assert.Equal(nameof(PixelAllocator), Assert.Throws<ObjectDisposedException>(() => wait.Next()).ObjectName);
        }

        AssertCharged(inner: 0, outer: 4);
        _outer.Release(4);
        Assert.True(_inner.TryCharge(4));
    }

    [Fact]
    public void Request_that_needs_more_than_it_was_granted_waits_again_at_its_place()
    {
        Assert.True(_outer.TryCharge(4));
        using BudgetWait first = Begin(_outer, 1);
        using BudgetWait second = Begin(_outer, 3);
        Assert.True(first.Next() is not null && second.Next() is not null);
        _outer.Release(1);
        Assert.Null(first.Next());
        first.BeginAnew(3);
        Assert.NotNull(first.Next());
        _outer.Release(2);
        Assert.NotNull(second.Next());
        Assert.Null(first.Next());
    }

    [Fact]
    public void Request_that_needs_more_than_there_is_ends_and_releases_what_it_was_granted_once()
    {
        Assert.True(_outer.TryCharge(4));
        using (BudgetWait wait = Begin(_inner, 3))
        {
            Assert.NotNull(wait.Next());
            _outer.Release(4);
            Assert.Null(wait.Next());
            wait.BeginAnew(5);
            Assert.Throws<PixelBudgetExceededException>(() => wait.Next());
        }

        AssertCharged(inner: 0, outer: 0);
    }

    [Fact]
    public void Only_the_first_end_counts_and_only_once()
    {
        Assert.True(_outer.TryCharge(4));
        using var cancellation = new CancellationTokenSource();
        using var wait = new BudgetWait(_outer, 3, _requests, new Newcomer(), continuation: null, cancellation.Token);
        BudgetWaiter waiter = wait.Next()!;
        cancellation.Cancel();
        wait.End(WaitOutcome.TimedOut);
        _requests.Dispose();
        Assert.False(_outer.TryLeave(waiter));
        Assert.Equal(cancellation.Token, Assert.Throws<OperationCanceledException>(() => wait.Next()).CancellationToken);
    }

    [Fact]
    public void Those_who_come_when_all_is_over_do_not_wait()
    {
        _requests.Dispose();
        Assert.True(_outer.TryCharge(4));
        using (BudgetWait wait = Begin(_outer, 3))
        {
            Assert.Equal(nameof(PixelAllocator), Assert.Throws<ObjectDisposedException>(() => wait.Next()).ObjectName);
        }

        AssertCharged(inner: 0, outer: 4);
        Assert.Equal(0, _requests.GetStatistics().WaitingRents);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Requests_of_a_scope_end_with_it(bool comesTooLate)
    {
        var scope = new Newcomer();
        Assert.True(_outer.TryCharge(4));
        using BudgetWait other = Begin(_outer, 3);
        Assert.NotNull(other.Next());
        using var wait = new BudgetWait(_inner, 3, _requests, scope, continuation: null);
        Assert.True(comesTooLate || wait.Next() is not null);
        scope.DisposedType = nameof(RentScope);
        _requests.EndThoseOfDisposed();
        Assert.Equal(nameof(RentScope), Assert.Throws<ObjectDisposedException>(() => wait.Next()).ObjectName);
        Assert.NotNull(other.Next());
    }

    private BudgetWait Begin(MemoryBudget budget, long bytes) =>
        new BudgetWait(budget, bytes, _requests, new Newcomer(), continuation: null);

    private void AssertCharged(long inner, long outer) => Assert.Equal((inner, outer), (_inner.ChargedBytes, _outer.ChargedBytes));
}

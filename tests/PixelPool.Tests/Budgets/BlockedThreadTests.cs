using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>By the clock of the system a thread that is blocked counts its time itself, and gives up when that is over. Nothing here asks how long that took.</summary>
public sealed class BlockedThreadTests
{
    private const long Limit = 4;

    // Nobody waits that long: who waits for its end does not end.
    private static readonly TimeSpan s_long = TimeSpan.FromDays(24);

    private readonly MemoryBudget _budget = new(Limit);
    private int _looks;

    public BlockedThreadTests() => Assert.True(_budget.TryCharge(Limit));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Gives_up_when_its_time_is_over(bool makesRoom)
    {
        using BudgetRequests requests = Requests(TimeSpan.FromMilliseconds(20));
        var refusal = Assert.Throws<PixelBudgetExceededException>(() => Serve(requests, makesRoom ? () => { } : null));
        Assert.Equal(TimeSpan.FromMilliseconds(20), refusal.Waited);
        Assert.False(_budget.IsWaitedFor);
        Assert.Equal((Limit, 1L, 0L), (_budget.ChargedBytes, requests.GetStatistics().Waits, requests.GetStatistics().WaitingRents));
    }

    [Fact]
    public void Gives_up_at_once_when_its_time_was_over_before_it_blocks()
    {
        using BudgetRequests requests = Requests(TimeSpan.FromMilliseconds(1));
        using var wait = new BudgetWait(_budget, 1, requests, new Newcomer(), continuation: null);
        long began = TimeProvider.System.GetTimestamp();
        BudgetWaiter waiter = wait.Next()!;
        Assert.True(SpinWait.SpinUntil(() => TimeProvider.System.GetElapsedTime(began) > TimeSpan.FromMilliseconds(2), TimeSpan.FromMinutes(1)));

        // Without a look at the time it would be blocked until somebody wakes it.
        wait.Block(waiter, Timeout.InfiniteTimeSpan);
        Assert.Equal(WaiterState.OutOfLine, waiter.State);
        Assert.Throws<PixelBudgetExceededException>(() => wait.Next());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Makes_room_from_time_to_time_until_there_is_some(bool isLimited)
    {
        using BudgetRequests requests = Requests(isLimited ? s_long : Timeout.InfiniteTimeSpan);
        Assert.Equal("taken", Serve(requests, Look));
        Assert.Equal(2, _looks);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Goes_on_when_somebody_releases(bool isLimited)
    {
        using BudgetRequests requests = Requests(isLimited ? s_long : Timeout.InfiniteTimeSpan);
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                Assert.Equal("taken", Serve(requests, makeRoom: null));
                return;
            }

            Assert.True(SpinWait.SpinUntil(() => _budget.IsWaitedFor, TimeSpan.FromMinutes(2)));
            _budget.Release(1);
        });
        Assert.Equal(Limit - 1, _budget.ChargedBytes);
    }

    [Fact]
    public void Is_not_blocked_where_it_was_granted_before()
    {
        using BudgetRequests requests = Requests(Timeout.InfiniteTimeSpan);
        using var wait = new BudgetWait(_budget, 1, requests, new Newcomer(), continuation: null);
        BudgetWaiter waiter = wait.Next()!;
        _budget.Release(1);
        wait.Block(waiter, Timeout.InfiniteTimeSpan);
        Assert.Null(wait.Next());
    }

    // The first look finds nothing.
    private void Look()
    {
        if (++_looks == 2)
        {
            _budget.Release(1);
        }
    }

    // What is granted goes back: nobody uses it.
    private string Serve(BudgetRequests requests, Action? makeRoom) =>
        requests.Serve<string>(_budget, 1, static () => new Newcomer(), static _ => ("taken", 0), makeRoom, CancellationToken.None);

    private BudgetRequests Requests(TimeSpan time) => new(
        new PixelAllocatorOptions { TimeProvider = TimeProvider.System, RentTimeout = time },
        new MemoryAccounts(new SilentListener()),
        nameof(PixelAllocator),
        _budget,
        static () => false,
        static (_, _) => { });
}

using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>What is told of waits that are long.</summary>
public sealed class BudgetRequestsTests : IDisposable
{
    private readonly ManualTime _time = new() { FireNewTimersAtOnce = false };
    private readonly MemoryBudget _budget = new(4);
    private readonly BudgetRequests _requests;
    private readonly List<bool> _reports = [];
    private Func<bool> _isDeadlocked = static () => false;

    public BudgetRequestsTests() => _requests = new BudgetRequests(
        new PixelAllocatorOptions { TimeProvider = _time, LongWaitThreshold = TimeSpan.FromSeconds(5), RentTimeout = Timeout.InfiniteTimeSpan },
        new MemoryAccounts(new SilentListener()),
        nameof(PixelAllocator),
        _budget,
        () => _isDeadlocked(),
        (waits, isDeadlock) => waits.ForEach(_ => _reports.Add(isDeadlock)));

    public void Dispose() => _requests.Dispose();

    [Fact]
    public void A_wait_is_told_of_once_and_once_more_when_it_becomes_a_deadlock()
    {
        using BudgetWait wait = Begin();
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal([false], _reports);
        _isDeadlocked = static () => true;
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal([false, true], _reports);
        _isDeadlocked = static () => false;
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal([false, true], _reports);
        Assert.Equal(1, _requests.GetStatistics().LongWaits);
    }

    [Fact]
    public void Where_there_is_no_memory_to_look_it_is_told_at_the_next_look()
    {
        using BudgetWait wait = Begin();
        _isDeadlocked = static () => throw new InsufficientMemoryException();
        _time.Advance(TimeSpan.FromSeconds(6));
        Assert.Empty(_reports);
        _isDeadlocked = static () => true;
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([true], _reports);
        Assert.Equal(1, _requests.GetStatistics().LongWaits);
    }

    private BudgetWait Begin()
    {
        Assert.True(_budget.TryCharge(4));
        var wait = new BudgetWait(_budget, 1, _requests, new Newcomer(), continuation: null);
        Assert.NotNull(wait.Next());
        return wait;
    }
}

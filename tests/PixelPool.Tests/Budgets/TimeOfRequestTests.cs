using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>What was granted may not be enough: a pool was full, and is no more. Then the request waits again, with what is left of its time.</summary>
public sealed class TimeOfRequestTests : IDisposable
{
    private const long Limit = 4;

    private readonly ManualTime _time = new() { FireNewTimersAtOnce = false };
    private readonly MemoryBudget _budget = new(Limit);
    private readonly BudgetRequests _requests;
    private int _grants;

    public TimeOfRequestTests() => _requests = new BudgetRequests(
        new PixelAllocatorOptions { TimeProvider = _time, RentTimeout = TimeSpan.FromSeconds(10), AsyncRentTimeout = TimeSpan.FromSeconds(10) },
        new MemoryAccounts(new SilentListener()),
        nameof(PixelAllocator),
        _budget,
        static () => false,
        static (_, _) => { });

    public void Dispose() => _requests.Dispose();

    [Fact]
    public async Task A_request_that_is_awaited_ends_in_time_though_it_began_anew()
    {
        Assert.True(_budget.TryCharge(Limit));
        ValueTask<string> request = _requests.ServeAsync(_budget, 1, new Newcomer(), _ => TakeNothing(), CancellationToken.None);
        _time.Advance(TimeSpan.FromSeconds(6));
        Assert.False(request.IsCompleted);
        _budget.Release(1);
        SpinWait.SpinUntil(() => Volatile.Read(ref _grants) == 1 && _budget.IsWaitedFor, TimeSpan.FromMinutes(2));
        _time.Advance(TimeSpan.FromSeconds(5));
        await Assert.ThrowsAsync<PixelBudgetExceededException>(async () => await request.AsTask().WaitAsync(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken));
        AssertEnded();

        (string? Taken, long NeededBytes) TakeNothing()
        {
            Interlocked.Increment(ref _grants);
            return (null, 2);
        }
    }

    [Fact]
    public void A_thread_that_is_blocked_goes_on_in_time_though_it_began_anew()
    {
        Assert.True(_budget.TryCharge(Limit));
        Simultaneously.Run(2, index =>
        {
            if (index == 0)
            {
                Assert.Throws<PixelBudgetExceededException>(() => _requests.Serve<string>(_budget, 1, static () => new Newcomer(), _ => TakeNothing(), makeRoom: null, CancellationToken.None));
                return;
            }

            SpinWait.SpinUntil(() => _budget.IsWaitedFor, TimeSpan.FromMinutes(2));
            _time.Advance(TimeSpan.FromSeconds(6));
            _budget.Release(1);
            SpinWait.SpinUntil(() => Volatile.Read(ref _grants) == 1 && _budget.IsWaitedFor, TimeSpan.FromMinutes(2));
            _time.Advance(TimeSpan.FromSeconds(5));
        });
        AssertEnded();

        (string? Taken, long NeededBytes) TakeNothing()
        {
            Interlocked.Increment(ref _grants);
            return (null, 2);
        }
    }

    [Fact]
    public async Task The_time_may_end_while_memory_is_taken()
    {
        Assert.True(_budget.TryCharge(Limit));
        ValueTask<string> request = _requests.ServeAsync(_budget, 1, new Newcomer(), _ => TakeNothing(), CancellationToken.None);
        _budget.Release(1);
        await Assert.ThrowsAsync<PixelBudgetExceededException>(async () => await request.AsTask().WaitAsync(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken));
        AssertEnded();

        (string? Taken, long NeededBytes) TakeNothing()
        {
            _time.Advance(TimeSpan.FromSeconds(10));
            Interlocked.Increment(ref _grants);
            return (null, 2);
        }
    }

    // At last it waited for more than there is. That was one wait.
    private void AssertEnded()
    {
        Assert.Equal(1, _grants);
        Assert.False(_budget.IsWaitedFor);
        Assert.Equal((Limit - 1, 1L, 0L), (_budget.ChargedBytes, _requests.GetStatistics().Waits, _requests.GetStatistics().WaitingRents));
    }
}

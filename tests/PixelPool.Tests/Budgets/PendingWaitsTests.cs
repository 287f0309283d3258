using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Tests.Application;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

public sealed class PendingWaitsTests : IDisposable
{
    private readonly ManualTime _time = new();
    private readonly BudgetRequests _requests = new(
        new PixelAllocatorOptions(), new MemoryAccounts(new SilentListener()), nameof(PixelAllocator), budget: null, static () => false, static (_, _) => { });
    private int _looks;

    public void Dispose() => _requests.Dispose();

    [Fact]
    public void It_looks_every_second_while_somebody_waits_and_the_timer_runs_up_to_a_second_longer()
    {
        Waits waits = Create(() => _looks++);
        using BudgetWait first = Begin();
        using BudgetWait second = Begin();
        Assert.Equal(0, _time.ActiveTimers);
        waits.Enter(first);
        waits.Enter(second);
        Assert.Equal(1, _time.ActiveTimers);
        _time.Advance(PendingWaits.Period - TimeSpan.FromTicks(1));
        Assert.Equal(0, _looks);
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(1, _looks);
        waits.Leave(first);
        _time.Advance(10 * PendingWaits.Period);
        Assert.Equal(11, _looks);
        waits.Leave(second);
        _time.Advance(PendingWaits.Period);
        Assert.Equal((11, 0), (_looks, _time.ActiveTimers));
        waits.Enter(first);
        _time.Advance(PendingWaits.Period);
        Assert.Equal(12, _looks);
        waits.Dispose();
    }

    /// <summary>One that takes longer than a second: the next one comes a second afterwards.</summary>
    [Fact]
    public void It_looks_once_at_a_time()
    {
        Waits waits = Create(() =>
        {
            _looks++;
            if (_looks < 5)
            {
                _time.Advance(PendingWaits.Period);
            }
        });
        using BudgetWait wait = Begin();
        waits.Enter(wait);
        _time.Advance(PendingWaits.Period);
        Assert.Equal(1, _looks);
        _time.Advance(PendingWaits.Period);
        Assert.Equal(2, _looks);
        waits.Dispose();
    }

    [Fact]
    public void After_its_end_it_looks_no_more()
    {
        Waits waits = Create(() => _looks++);
        using BudgetWait wait = Begin();
        waits.Enter(wait);
        waits.Dispose();
        _time.Advance(10 * PendingWaits.Period);
        waits.Leave(wait);
        Assert.Equal((0, 0), (_looks, _time.ActiveTimers));
    }

    /// <summary>Who was let in by a look may still be about to leave then.</summary>
    [Fact]
    public void After_a_look_the_timer_runs_once_more_though_nobody_waits()
    {
        Waits? waits = null;
        using BudgetWait wait = Begin();
        waits = Create(() => waits!.Leave(wait));
        waits.Enter(wait);
        _time.Advance(PendingWaits.Period);
        Assert.Equal(1, _time.ActiveTimers);
        _time.Advance(PendingWaits.Period);
        Assert.Equal(0, _time.ActiveTimers);
        waits.Dispose();
    }

    [Theory]
    [InlineData("CreateTimer")]
    [InlineData("ITimer.Change")]
    public void The_next_one_who_waits_asks_again_for_a_timer_that_could_not_be_had(string member)
    {
        var waits = new Waits(new FaultyTime(new ApplicationFault(failing: 1, member), _time), () => _looks++);
        using BudgetWait first = Begin();
        using BudgetWait second = Begin();
        waits.Enter(first);
        Assert.Equal(0, _time.ActiveTimers);
        waits.Enter(second);
        Assert.Equal(1, _time.ActiveTimers);
        _time.Advance(PendingWaits.Period);
        Assert.Equal(1, _looks);
        waits.Dispose();
    }

    private Waits Create(Action look) => new(_time, look);

    private BudgetWait Begin() => new(new MemoryBudget(1), 1, _requests, new Newcomer(), continuation: null);

    private sealed class Waits(TimeProvider time, Action look) : PendingWaits(new SilentListener(), time)
    {
        protected override void Look() => look();
    }
}

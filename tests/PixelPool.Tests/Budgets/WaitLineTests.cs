using PixelPool.Budgets;

namespace PixelPool.Tests.Budgets;

/// <summary>Who is next in the line of a budget of 100 bytes.</summary>
public class WaitLineTests
{
    private readonly MemoryBudget _budget = new(100);
    private readonly WaitLine _line = new(100);

    [Fact]
    public void Nobody_is_next_of_nobody()
    {
        Assert.Null(_line.Next);
        Assert.Equal(0, _line.Count);
    }

    [Fact]
    public void Those_of_one_rank_are_served_in_their_order()
    {
        BudgetWaiter first = Add(90);
        BudgetWaiter second = Add(1);
        BudgetWaiter third = Add(50);
        Assert.Equal([first, second, third], ServeAll());
    }

    [Fact]
    public void Small_ones_come_first_then_those_who_hold_memory_then_the_others()
    {
        BudgetWaiter other = Add(10);
        BudgetWaiter holder = Add(10, WaitRank.Holder);
        BudgetWaiter small = Add(1, WaitRank.Small);
        BudgetWaiter lastSmall = Add(1, WaitRank.Small);
        Assert.Equal([small, lastSmall, holder, other], ServeAll());
    }

    [Fact]
    public void When_as_many_bytes_as_the_whole_budget_have_passed_the_first_one_is_next()
    {
        BudgetWaiter longest = Add(90);
        BudgetWaiter holder = Add(60, WaitRank.Holder);
        BudgetWaiter secondHolder = Add(40, WaitRank.Holder);
        BudgetWaiter small = Add(1, WaitRank.Small);
        BudgetWaiter waits = Add(40, WaitRank.Holder);

        // 1 + 60 of 100 bytes have passed: 40 more would be too many.
        Assert.Equal([small, holder, longest, secondHolder, waits], ServeAll());
    }

    [Fact]
    public void Whoever_gives_up_lets_others_be_passed_anew()
    {
        BudgetWaiter longest = Add(90);
        BudgetWaiter second = Add(90);
        BudgetWaiter holder = Add(100, WaitRank.Holder);
        BudgetWaiter other = Add(100, WaitRank.Holder);
        Assert.Equal(holder, _line.Next);
        _line.Remove(holder, isGranted: true);
        Assert.Equal(longest, _line.Next);
        _line.Remove(longest, isGranted: false);
        Assert.Equal([other, second], ServeAll());
    }

    [Fact]
    public void When_nothing_moves_any_more_as_many_bytes_may_pass_again()
    {
        BudgetWaiter longest = Add(90);
        _line.CountPassed(100);
        BudgetWaiter small = Add(1, WaitRank.Small);
        Assert.Equal(longest, _line.Next);
        _line.Renew();
        Assert.Equal([small, longest], ServeAll());
    }

    [Fact]
    public void Those_that_do_not_get_in_line_pass_as_far_as_small_ones_in_line_do()
    {
        Add(90);
        Assert.True(_line.LetsPass(1));
        _line.CountPassed(99);
        Assert.True(_line.LetsPass(1));
        Assert.False(_line.LetsPass(2));
        BudgetWaiter small = Add(1, WaitRank.Small);
        Assert.False(_line.LetsPass(1));
        _line.Remove(small, isGranted: false);
        Assert.True(_line.LetsPass(1));
    }

    private BudgetWaiter Add(long bytes, WaitRank rank = WaitRank.Other)
    {
        var waiter = new BudgetWaiter(_budget, bytes, rank, blocksThread: true);
        _line.Add(waiter);
        return waiter;
    }

    private List<BudgetWaiter> ServeAll()
    {
        List<BudgetWaiter> served = [];
        while (_line.Next is { } next)
        {
            _line.Remove(next, isGranted: true);
            served.Add(next);
        }

        Assert.Equal(0, _line.Count);
        return served;
    }
}

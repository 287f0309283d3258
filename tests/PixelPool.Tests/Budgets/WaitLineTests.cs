using PixelPool.Budgets;

namespace PixelPool.Tests.Budgets;

/// <summary>Who is next in the line of a budget of 100 bytes.</summary>
public class WaitLineTests
{
    private readonly MemoryBudget _budget = new(100);
    private readonly WaitLine _line = new(100);
    private long _lastOrder;

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
        BudgetWaiter smallOfHolder = Add(1, WaitRank.SmallOfHolder);
        Assert.Equal([smallOfHolder, small, lastSmall, holder, other], ServeAll());
    }

    [Fact]
    public void Of_those_who_hold_memory_whoever_needs_least_comes_first()
    {
        BudgetWaiter middle = Add(20, WaitRank.Holder);
        BudgetWaiter most = Add(30, WaitRank.Holder);
        BudgetWaiter least = Add(10, WaitRank.Holder);
        BudgetWaiter alsoMiddle = Add(20, WaitRank.Holder);
        BudgetWaiter small = Add(2, WaitRank.SmallOfHolder);
        BudgetWaiter smaller = Add(1, WaitRank.SmallOfHolder);
        Assert.Equal([smaller, small, least, middle, alsoMiddle, most], ServeAll());
    }

    [Fact]
    public void Small_ones_of_those_who_hold_memory_pass_until_twice_as_many_bytes_as_the_budget_have()
    {
        BudgetWaiter longest = Add(90);
        _line.CountPassed(100);
        BudgetWaiter small = Add(1, WaitRank.Small);
        BudgetWaiter holder = Add(1, WaitRank.Holder);
        BudgetWaiter smallOfHolder = Add(1, WaitRank.SmallOfHolder);
        Assert.Equal(smallOfHolder, _line.Next);
        _line.CountPassed(99);
        BudgetWaiter tooMany = Add(1, WaitRank.SmallOfHolder);
        Assert.Equal([smallOfHolder, longest, tooMany, small, holder], ServeAll());
    }

    [Fact]
    public void A_small_one_of_those_who_hold_memory_is_passed_by_smaller_ones_no_longer_than_others()
    {
        BudgetWaiter longest = Add(2, WaitRank.SmallOfHolder);
        BudgetWaiter smaller = Add(1, WaitRank.SmallOfHolder);
        Assert.Equal(smaller, _line.Next);
        _line.CountPassed(200);
        Assert.Equal([longest, smaller], ServeAll());
    }

    [Fact]
    public void What_has_passed_whoever_comes_back_counts_then_too()
    {
        BudgetWaiter longest = Add(90);
        _line.CountPassed(100);
        BudgetWaiter holder = Add(100, WaitRank.Holder);
        _line.Remove(longest, isGranted: false, comesBack: true);
        BudgetWaiter again = new(_budget, 90, WaitRank.Other, longest.Order, continuation: null);
        _line.Add(again);
        Assert.Equal([again, holder], ServeAll());
    }

    [Fact]
    public void When_nobody_is_let_in_for_a_while_those_pass_again_too()
    {
        BudgetWaiter longest = Add(90);
        BudgetWaiter small = Add(1, WaitRank.SmallOfHolder);
        _line.CountPassed(200);
        Assert.Equal(longest, _line.Next);
        Assert.Equal([false, true], Looks(2));
        Assert.Equal([small, longest], ServeAll());
    }

    [Fact]
    public void When_as_many_bytes_as_the_whole_budget_have_passed_the_first_one_is_next()
    {
        BudgetWaiter longest = Add(90);
        BudgetWaiter holder = Add(60, WaitRank.Holder);
        BudgetWaiter secondHolder = Add(40, WaitRank.Holder);
        BudgetWaiter small = Add(1, WaitRank.Small);
        BudgetWaiter waits = Add(40, WaitRank.Holder);

        // 1 + 40 + 40 of 100 bytes have passed: 60 more would be too many.
        Assert.Equal([small, secondHolder, waits, longest, holder], ServeAll());
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
    public void When_nobody_is_let_in_for_a_while_whoever_fits_passes_for_some_time()
    {
        BudgetWaiter longest = Add(90);
        _line.CountPassed(100);
        BudgetWaiter small = Add(1, WaitRank.Small);
        Assert.Equal((longest, false, false), (_line.Next, _line.IsStalled, _line.LetsPass(1)));
        Assert.Equal([false, true], Looks(2));
        _line.CountPassed(1000);
        Assert.Equal((small, true), (_line.Next, _line.IsStalled));
        Assert.Equal([false], Looks(1));

        // What passed meanwhile does not count, and as many bytes as the budget may pass once more.
        Assert.Equal((small, false), (_line.Next, _line.IsStalled));
        _line.CountPassed(100);
        BudgetWaiter more = Add(1, WaitRank.SmallOfHolder);
        Assert.Equal([more, longest, small], ServeAll());
    }

    [Fact]
    public void Whoever_gives_up_ends_that_time_and_not_that_nobody_was_let_in()
    {
        BudgetWaiter first = Add(90);
        BudgetWaiter second = Add(90);
        Add(90);
        Assert.Equal([false, true], Looks(2));
        _line.Remove(first, isGranted: false);
        Assert.False(_line.IsStalled);
        Assert.Equal([true], Looks(1));
        Assert.Equal([false, false], Looks(2));
        _line.Remove(second, isGranted: false);
        Assert.Equal([true], Looks(1));
    }

    [Fact]
    public void Those_who_do_not_get_in_line_pass_while_it_stalls()
    {
        BudgetWaiter longest = Add(90);
        _line.CountPassed(100);
        Assert.False(_line.LetsPass(1));
        Assert.Equal([false, true], Looks(2));
        Assert.True(_line.LetsPass(1));
        _line.Remove(longest, isGranted: true);
        Add(90);
        Assert.False(_line.IsStalled);
    }

    [Fact]
    public void Each_time_that_takes_twice_as_long_until_the_longest_wait_ends_and_that_time_grows_with_it()
    {
        BudgetWaiter longest = Add(90);
        Add(90);

        // One look more for the first, who moved the line by its coming. 1 look for 1, 2 for 2, and so on; 16 for 32, 32 for 128.
        int[] stalls = [1, 1 + 1 + 2, 4 + 2 + 4, 10 + 4 + 8, 22 + 8 + 16, 46 + 32 + 32, 110 + 128 + 64];
        Assert.Equal(stalls, Stalls(303));
        _line.Remove(longest, isGranted: true);
        Assert.Equal([1, 4], Stalls(5));
    }

    [Fact]
    public void Whoever_is_let_in_moves_it_and_small_ones_of_those_who_hold_memory_and_those_who_give_up_do_not()
    {
        Add(90);
        Assert.Equal([false], Looks(1));
        _line.Remove(Add(10), isGranted: true);
        Assert.Equal([false], Looks(1));
        _line.Remove(Add(10), isGranted: false);
        _line.Remove(Add(1, WaitRank.SmallOfHolder), isGranted: true);
        Assert.Equal([true], Looks(1));
    }

    [Fact]
    public void Two_who_are_let_in_between_two_looks_move_it_as_one_does()
    {
        Add(90);
        Assert.Equal([false], Looks(1));
        _line.Remove(Add(10), isGranted: true);
        _line.Remove(Add(10), isGranted: true);
        Assert.Equal([false, true], Looks(2));
    }

    [Fact]
    public void Where_nobody_waits_nothing_stalls()
    {
        Assert.Equal([false, false, false], Looks(3));
        Add(90);
        Assert.Equal([false, true], Looks(2));
    }

    [Fact]
    public void What_stalled_before_everybody_had_left_does_not_count()
    {
        BudgetWaiter small = Add(1, WaitRank.SmallOfHolder);
        Assert.Equal([1, 4], Stalls(7));
        _line.Remove(small, isGranted: true);
        Add(90);
        Assert.Equal([false, true], Looks(2));
    }

    [Fact]
    public void The_first_that_fits_is_found_in_the_order_of_the_ranks()
    {
        Add(90);
        BudgetWaiter other = Add(20);
        BudgetWaiter holder = Add(30, WaitRank.Holder);
        Assert.Equal(holder, _line.FirstThatFits(30));
        Assert.Equal(other, _line.FirstThatFits(20));
        Assert.Null(_line.FirstThatFits(19));
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

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Whoever_comes_back_has_its_old_place(bool holds)
    {
        WaitRank rank = holds ? WaitRank.Holder : WaitRank.Other;
        Add(50, rank);
        BudgetWaiter left = Add(50, rank);
        _line.Remove(left, isGranted: false);
        Add(50, rank);
        var back = new BudgetWaiter(_budget, 50, rank, left.Order, continuation: null);
        _line.Add(back);
        Assert.Same(back, ServeAll()[1]);
    }

    [Fact]
    public void A_piece_serves_the_first_who_can_use_one_of_its_size_and_they_are_counted()
    {
        var small = new FakePieces();
        var large = new FakePieces();
        Add(90, WaitRank.Small);
        BudgetWaiter other = Add(2, WaitRank.Small, large);
        BudgetWaiter second = Add(1, WaitRank.Small, small);
        BudgetWaiter first = Add(1, WaitRank.SmallOfHolder, small);
        Assert.Equal((2, 1), (small.Waiting, large.Waiting));
        Assert.Equal((first, other, null), (_line.FirstFor(small), _line.FirstFor(large), _line.FirstFor(new FakePieces())));
        _line.Remove(first, isGranted: false);
        Assert.Equal((second, 1), (_line.FirstFor(small), small.Waiting));
        _line.Remove(second, isGranted: true);
        _line.Remove(other, isGranted: true);
        Assert.Equal((null, null, 0, 0), (_line.FirstFor(small), _line.FirstFor(large), small.Waiting, large.Waiting));
    }

    private List<int> Stalls(int looks) => [.. Looks(looks).Index().Where(static look => look.Item).Select(static look => look.Index)];

    private bool[] Looks(int count) => [.. Enumerable.Range(0, count).Select(_ => _line.LookForStall())];

    private BudgetWaiter Add(long bytes, WaitRank rank = WaitRank.Other, IPieceSource? pieces = null)
    {
        var waiter = new BudgetWaiter(_budget, bytes, rank, ++_lastOrder, continuation: null, pieces);
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

using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>A request in line that is served by a piece, however it ends then: the piece is used once or comes back once, and no budget stays charged.</summary>
public sealed class HandedPieceTests : IDisposable
{
    private const int Asked = 6;
    private const int Held = 4;

    private readonly MemoryBudget _root = new(10);
    private readonly MemoryBudget _scope;
    private readonly BudgetRequests _requests;
    private readonly FakePieces _pieces = new();
    private readonly (object Slab, nint Address) _piece = (new object(), 4096);

    public HandedPieceTests()
    {
        _scope = new MemoryBudget(8, _root, isReservation: false);
        _requests = new BudgetRequests(
            new PixelAllocatorOptions { TimeProvider = new ManualTime() }, new MemoryAccounts(new SilentListener()), nameof(PixelAllocator), _root, static () => false, static (_, _) => { });
        Assert.True(_root.TryCharge(10));
    }

    public void Dispose()
    {
        Assert.Equal((0, 0L, 10L), (_pieces.Waiting, _scope.ChargedBytes, _root.ChargedBytes));
        Assert.False(_root.IsWaitedFor);
        _requests.Dispose();
    }

    [Fact]
    public void The_piece_is_paid_for_from_what_the_scope_was_charged_with()
    {
        using (BudgetWait wait = BeginAndServe())
        {
            Assert.True(wait.TryCharge(Held, belowRoot: true));
            Assert.Equal(Asked, _scope.ChargedBytes);
            Assert.Equal(_piece, wait.TakePiece());
            Assert.Null(wait.TakePiece());
        }

        Assert.Equal((Held, 10), (_scope.ChargedBytes, _root.ChargedBytes));
        Assert.Empty(_pieces.TakenBack);
        _scope.Release(Held, belowRoot: true);
    }

    [Fact]
    public void A_piece_for_which_there_is_no_guard_comes_back()
    {
        using (BudgetWait wait = BeginAndServe())
        {
            Assert.True(wait.TryCharge(Held, belowRoot: true));
            wait.Release(Held, belowRoot: true);
        }

        Assert.Equal([_piece], _pieces.TakenBack);
    }

    [Fact]
    public void More_than_was_asked_for_is_charged_to_the_scope_again()
    {
        using BudgetWait wait = BeginAndServe();
        Assert.False(wait.TryCharge(Asked + 1, belowRoot: true));
        Assert.False(wait.TryCharge(1));
    }

    [Fact]
    public void A_request_that_fails_before_it_goes_on_gives_the_piece_back()
    {
        BeginAndServe().Dispose();
        Assert.Equal([_piece], _pieces.TakenBack);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_ends_it_afterwards_comes_too_late(bool stepsBack)
    {
        using (BudgetWait wait = BeginAndServe())
        {
            if (stepsBack)
            {
                wait.StepBack();
            }
            else
            {
                wait.End(WaitOutcome.Cancelled);
            }

            Assert.Null(wait.Next());
            Assert.Equal(_piece, wait.TakePiece());
        }

        Assert.Empty(_pieces.TakenBack);
    }

    [Fact]
    public void What_ended_before_is_given_none()
    {
        using BudgetWait wait = Begin();
        wait.End(WaitOutcome.Cancelled);
        Assert.False(_root.TryHand(_pieces, _piece.Slab, _piece.Address));
        Assert.Throws<OperationCanceledException>(() => wait.Next());
    }

    [Fact]
    public void Whoever_is_next_behind_it_gets_room_that_there_is()
    {
        using BudgetWait first = Begin();
        using var second = new BudgetWait(_root, 2, _requests, new Newcomer(), continuation: null);
        Assert.NotNull(second.Next());
        _root.Release(3);
        Assert.NotNull(second.Next());
        Assert.True(_root.TryHand(_pieces, _piece.Slab, _piece.Address));
        Assert.Null(second.Next());
        second.BeginAnew(2);
        Assert.True(_root.TryCharge(3));
    }

    /// <summary>It was given back when nobody waited yet, and after the request had looked for one.</summary>
    [Fact]
    public void A_piece_that_came_back_before_a_request_was_in_line_serves_it()
    {
        _pieces.Serve = () => Assert.True(_root.TryHand(_pieces, _piece.Slab, _piece.Address));
        using var wait = new BudgetWait(_scope, Asked, _requests, new Newcomer { Pieces = _pieces }, continuation: null);
        Assert.Null(wait.Next());
        Assert.Equal(_piece, wait.TakePiece());
    }

    [Fact]
    public void In_the_line_of_a_scope_a_piece_serves_nobody()
    {
        Assert.True(_scope.TryCharge(8, belowRoot: true));
        using (BudgetWait wait = Begin())
        {
            Assert.Equal(0, _pieces.Waiting);
            Assert.False(_scope.TryHand(_pieces, _piece.Slab, _piece.Address));
            _scope.Release(8, belowRoot: true);
            Assert.NotNull(wait.Next());
            Assert.Equal(1, _pieces.Waiting);
        }
    }

    private BudgetWait Begin()
    {
        var wait = new BudgetWait(_scope, Asked, _requests, new Newcomer { Pieces = _pieces }, continuation: null);
        Assert.NotNull(wait.Next());
        return wait;
    }

    private BudgetWait BeginAndServe()
    {
        BudgetWait wait = Begin();
        Assert.Equal((1, Asked), (_pieces.Waiting, _scope.ChargedBytes));
        Assert.True(_root.TryHand(_pieces, _piece.Slab, _piece.Address));
        Assert.False(_root.TryHand(_pieces, _piece.Slab, _piece.Address));
        Assert.Null(wait.Next());
        return wait;
    }
}

using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>A refusal says whose budget refused, so that the right one is changed.</summary>
public sealed class RefusalTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public RefusalTests() => _allocator = _system.CreateAllocator(configure: static options =>
    {
        options.Name = "thumbnails";
        options.MaxRentedBytes = 4 * Block;
    });

    private const string Wait = "Dispose what is no longer needed, or wait for room: set RentTimeout, or await the method that ends in Async if there is one";

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void The_budget_of_the_allocator_is_called_by_its_name()
    {
        const string Budget = "budget of the allocator \"thumbnails\"";
        const string Raise = "Its limit is PixelAllocatorOptions.MaxRentedBytes";
        AssertRefused(Budget, 4, $"320 KiB is more than the whole {Budget} (256 KiB). {Raise}.", () => _allocator.Rent<byte>(Block, 5));
        using PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 3);
        string message = $"128 KiB does not fit in the {Budget}: 64 KiB of 256 KiB is left. Most is held at *: 192 KiB in 1 rent. {Wait}. {Raise}.";
        AssertRefused(Budget, 4, message, () => _allocator.Rent<byte>(Block, 2));
        using RentScope scope = _allocator.CreateScope(3 * Block);
        AssertRefused(Budget, 4, message, () => scope.Rent<byte>(Block, 2));
        AssertRefused(Budget, 4, message, () => scope.ReserveScope(2 * Block));
    }

    [Fact]
    public void That_of_a_scope_is_called_a_scope()
    {
        const string Budget = "budget of a scope from CreateScope";
        const string Raise = "Its limit is the argument of CreateScope";
        using RentScope scope = _allocator.CreateScope(2 * Block);
        AssertRefused(Budget, 2, $"192 KiB is more than the whole {Budget} (128 KiB). {Raise}.", () => scope.Rent<byte>(Block, 3));
        scope.Rent<byte>(Block, 1);
        AssertRefused(
            Budget,
            2,
            $"128 KiB does not fit in the {Budget}: 64 KiB of 128 KiB is left. Most is held at *: 64 KiB in 1 rent. {Wait}. {Raise}.",
            () => scope.ChargeExternal(2 * Block));
    }

    [Fact]
    public void What_can_never_fit_is_refused_by_the_budget_that_is_too_small()
    {
        const string Budget = "budget of the allocator \"thumbnails\"";
        using RentScope scope = _allocator.CreateScope(6 * Block);
        scope.Rent<byte>(Block, 2);
        AssertRefused(Budget, 4, $"320 KiB is more than the whole {Budget} (256 KiB). Its limit is PixelAllocatorOptions.MaxRentedBytes.", () => scope.Rent<byte>(Block, 5));
    }

    [Fact]
    public async Task Those_who_are_refused_because_others_wait_hear_for_which_budget()
    {
        PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 3);
        Task<PixelBuffer<byte>> waiting = _allocator.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        using (RentScope scope = _allocator.CreateScope(2 * Block))
        {
            var error = Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(Block, 1));
            Assert.Equal(("budget of the allocator \"thumbnails\"", 4L * Block), (error.Budget, error.LimitBytes));
            Assert.Contains(": 64 KiB of 256 KiB is left, and others wait for it. Most", error.Message, StringComparison.Ordinal);
        }

        held.Dispose();
        (await waiting).Dispose();
    }

    // Nobody waits for room in it.
    [Fact]
    public async Task That_of_a_reservation_is_called_a_reservation()
    {
        const string Budget = "reservation of a scope from ReserveScope";
        const string Raise = "Reserve more";
        using RentScope scope = _allocator.ReserveScope(2 * Block);
        AssertRefused(Budget, 2, $"192 KiB is more than the whole {Budget} (128 KiB). {Raise}.", () => scope.Rent<byte>(Block, 3));
        scope.Rent<byte>(Block, 1);
        string message = $"128 KiB does not fit in the {Budget}: 64 KiB of 128 KiB is left. Most is held at *: 64 KiB in 1 rent. Dispose what is no longer needed. {Raise}.";
        AssertRefused(Budget, 2, message, () => scope.Rent<byte>(Block, 2));
        var error = await Assert.ThrowsAsync<PixelBudgetExceededException>(
            async () => await scope.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal(Budget, error.Budget);
        AssertMessage(message, error);
    }

    [Fact]
    public void After_the_time_is_over_the_refusal_says_how_long_that_was()
    {
        using PixelAllocator allocator = CreateImpatient();
        using RentScope scope = allocator.CreateScope(Block);
        scope.Rent<byte>(Block, 1);
        const string Budget = "budget of a scope from CreateScope";
        var error = Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(Block, 1));
        Assert.Equal((Budget, TimeSpan.FromSeconds(0.2)), (error.Budget, error.Waited));
        AssertMessage(
            $"64 KiB did not fit in the {Budget} within 0.2 s (RentTimeout): 0 B of 64 KiB is left. Most is held at *: 64 KiB in 1 rent. "
                + "Dispose what is no longer needed. Its limit is the argument of CreateScope.",
            error);
    }

    [Fact]
    public async Task One_that_is_awaited_names_its_own_limit()
    {
        using PixelAllocator allocator = CreateImpatient();
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 4);
        var error = await Assert.ThrowsAsync<PixelBudgetExceededException>(
            async () => await allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal(TimeSpan.FromSeconds(0.3), error.Waited);
        Assert.StartsWith(
            "64 KiB did not fit in the budget of the allocator \"thumbnails\" within 0.3 s (AsyncRentTimeout): 0 B of 256 KiB is left.", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("wait for room", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_can_never_fit_has_not_waited()
    {
        using PixelAllocator allocator = CreateImpatient();
        Assert.Null(Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(Block, 5)).Waited);
        Assert.Null(Assert.Throws<PixelBudgetExceededException>(() => _allocator.Rent<byte>(Block, 5)).Waited);
    }

    // The memory came back between the refusal and the message.
    [Fact]
    public void Where_it_would_fit_now_the_refusal_says_so()
    {
        var budget = new MemoryBudget(4, "thumbnails");
        Assert.Equal(
            "3 B did not fit in the budget of the allocator \"thumbnails\". By now it would fit: 4 B of 4 B is left. Try again.", BudgetRefusal.Of(budget, 3, "Nothing is held.", waited: null).Message);
        Assert.True(budget.TryCharge(2));
        Assert.StartsWith("3 B does not fit in the budget of the allocator \"thumbnails\": 2 B of 4 B is left.", BudgetRefusal.Of(budget, 3, "Nothing is held.", waited: null).Message, StringComparison.Ordinal);
    }

    // All of it is held by whoever reserved it, used or not.
    [Fact]
    public void Who_holds_most_is_counted_once_when_it_is_reserved()
    {
        using RentScope reserved = _allocator.ReserveScope(3 * Block);
        reserved.Rent<byte>(Block, 1);
        reserved.ChargeExternal(1);
        reserved.CreateScope(Block).Rent<byte>(Block / 2, 1);
        reserved.ReserveScope(256).Rent<byte>(1, 1);
        Assert.Contains(": 192 KiB in 1 rent. ", Assert.Throws<PixelBudgetExceededException>(() => _allocator.Rent<byte>(Block, 2)).Message, StringComparison.Ordinal);
    }

    // To dispose what others hold would not help.
    [Fact]
    public void Only_who_holds_something_of_that_budget_is_named()
    {
        using PixelBuffer<byte> other = _allocator.Rent<byte>(Block, 2);
        using RentScope scope = _allocator.CreateScope(Block);
        using RentScope inner = scope.CreateScope(Block);
        inner.ChargeExternal(1000);
        Assert.Contains(": 1000 B in 1 rent. ", Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(Block, 1)).Message, StringComparison.Ordinal);
        Assert.Contains(": 128 KiB in 1 rent. ", Assert.Throws<PixelBudgetExceededException>(() => _allocator.Rent<byte>(Block, 3)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Memory_that_is_not_charged_is_no_holder()
    {
        using PixelBuffer<byte> free = _allocator.Wrap(new byte[Block].AsMemory(), Block, 1);
        using PixelBuffer<byte> much = _allocator.Wrap(new byte[10 * Block].AsMemory(), Block, 10);
        using PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 4);
        Assert.Contains(": 256 KiB in 1 rent. ", Assert.Throws<PixelBudgetExceededException>(() => _allocator.Rent<byte>(Block, 1)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_outlives_its_reservation_is_counted()
    {
        RentScope reserved = _allocator.ReserveScope(4 * Block);
        using PixelBuffer<byte> view = reserved.Rent<byte>(Block, 3).View(0, 0, 1, 1);
        reserved.Dispose();
        Assert.Contains(": 192 KiB in 1 rent. ", Assert.Throws<PixelBudgetExceededException>(() => _allocator.Rent<byte>(Block, 2)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void One_that_an_application_makes_speaks_of_a_budget() =>
        Assert.Equal(("budget", "3 B is more than the whole budget (2 B)."), Describe(new PixelBudgetExceededException(3, 2)));

    private PixelAllocator CreateImpatient()
    {
        _system.Time.FireNewTimersAtOnce = true;
        return _system.CreateAllocator(configure: static options =>
        {
            options.Name = "thumbnails";
            options.MaxRentedBytes = 4 * Block;
            options.RentTimeout = TimeSpan.FromSeconds(0.2);
            options.AsyncRentTimeout = TimeSpan.FromSeconds(0.3);
        });
    }

    private static (string Budget, string Message) Describe(PixelBudgetExceededException error) => (error.Budget, error.Message);

    private static void AssertRefused(string budget, int blocks, string message, Action rent)
    {
        var error = Assert.Throws<PixelBudgetExceededException>(rent);
        Assert.Equal((budget, (long)blocks * Block), (error.Budget, error.LimitBytes));
        AssertMessage(message, error);
    }

    // A place is any one of these tests.
    private static void AssertMessage(string expected, PixelBudgetExceededException error)
    {
        string[] parts = expected.Split('*');
        Assert.StartsWith(parts[0], error.Message, StringComparison.Ordinal);
        Assert.EndsWith(parts[^1], error.Message, StringComparison.Ordinal);
        Assert.Equal(parts.Length > 1, error.Message.Contains(nameof(RefusalTests), StringComparison.Ordinal));
    }
}

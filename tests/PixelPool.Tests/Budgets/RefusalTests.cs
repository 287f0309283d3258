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

    private const string Wait = "Dispose what is no longer needed, or wait for room with RentAsync or RentTimeout";

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void The_budget_of_the_allocator_is_called_by_its_name()
    {
        const string Budget = "budget of the allocator \"thumbnails\"";
        const string Raise = "PixelAllocatorOptions.MaxRentedBytes is its limit";
        AssertRefused(Budget, 4, $"320 KiB is more than the whole {Budget} (256 KiB). {Raise}.", () => _allocator.Rent<byte>(Block, 5));
        using PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 3);
        string message = $"128 KiB does not fit in the {Budget}: 64 KiB of 256 KiB are left. Most is held by 192 KiB in 1 rent at *. {Wait}. {Raise}.";
        AssertRefused(Budget, 4, message, () => _allocator.Rent<byte>(Block, 2));
        using RentScope scope = _allocator.CreateScope(3 * Block);
        AssertRefused(Budget, 4, message, () => scope.Rent<byte>(Block, 2));
        AssertRefused(Budget, 4, message, () => scope.ReserveScope(2 * Block));
    }

    [Fact]
    public void That_of_a_scope_is_called_a_scope()
    {
        const string Budget = "budget of a scope from CreateScope";
        const string Raise = "The argument of CreateScope is its limit";
        using RentScope scope = _allocator.CreateScope(2 * Block);
        AssertRefused(Budget, 2, $"192 KiB is more than the whole {Budget} (128 KiB). {Raise}.", () => scope.Rent<byte>(Block, 3));
        scope.Rent<byte>(Block, 1);
        AssertRefused(
            Budget,
            2,
            $"128 KiB does not fit in the {Budget}: 64 KiB of 128 KiB are left. Most is held by 64 KiB in 1 rent at *. {Wait}. {Raise}.",
            () => scope.ChargeExternal(2 * Block));
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
            Assert.Contains(": 64 KiB of 256 KiB are left, and others wait for them. Most", error.Message, StringComparison.Ordinal);
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
        string message = $"128 KiB does not fit in the {Budget}: 64 KiB of 128 KiB are left. Most is held by 128 KiB in 1 rent at *. Dispose what is no longer needed. {Raise}.";
        AssertRefused(Budget, 2, message, () => scope.Rent<byte>(Block, 2));
        var error = await Assert.ThrowsAsync<PixelBudgetExceededException>(
            async () => await scope.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal(Budget, error.Budget);
        AssertMessage(message, error);
    }

    [Fact]
    public void After_the_time_is_over_the_refusal_says_the_same()
    {
        using var system = new TestSystem();
        system.Time.FireNewTimersAtOnce = true;
        using PixelAllocator allocator = system.CreateAllocator(configure: static options =>
        {
            options.Name = "thumbnails";
            options.MaxRentedBytes = 4 * Block;
            options.RentTimeout = TimeSpan.FromSeconds(30);
        });
        using RentScope scope = allocator.CreateScope(Block);
        scope.Rent<byte>(Block, 1);
        Assert.Equal("budget of a scope from CreateScope", Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(Block, 1)).Budget);
    }

    [Fact]
    public void One_that_an_application_makes_speaks_of_a_budget() =>
        Assert.Equal(("budget", "3 B is more than the whole budget (2 B)."), Describe(new PixelBudgetExceededException(3, 2)));

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

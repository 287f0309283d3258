using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Memory of others is charged like a rent, and given back exactly once.</summary>
public sealed class ExternalChargeTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void It_counts_against_the_budget_until_it_is_disposed()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        ExternalCharge charge = allocator.ChargeExternal((2 * Block) + 1);
        Assert.Equal((2 * Block) + 1, charge.Bytes);
        Assert.Equal(((2L * Block) + 1, (2L * Block) + 1, 0L), Figures(allocator));
        Assert.False(allocator.TryRent<byte>(Block, 2, out _));
        allocator.Rent<byte>(Block, 1).Dispose();
        charge.Dispose();
        charge.Dispose();
        Assert.Equal((0L, 0L, 0L), Figures(allocator));
        allocator.Rent<byte>(Block, 4).Dispose();
    }

    [Fact]
    public void What_does_not_fit_is_refused_and_nothing_is_charged()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        using ExternalCharge most = allocator.ChargeExternal(3 * Block);
        var exception = Assert.Throws<PixelBudgetExceededException>(() => allocator.ChargeExternal(Block + 1));
        Assert.Equal((Block + 1, 4 * Block), (exception.RequestedBytes, exception.LimitBytes));
        Assert.Equal((3L * Block, 3L * Block, 0L), Figures(allocator));
        Assert.Equal(1, allocator.GetStatistics().BudgetRefusals);
    }

    [Fact]
    public void Bad_arguments_and_states_have_errors_of_their_own()
    {
        PixelAllocator allocator = Create(budget: 4 * Block);
        RentScope scope = allocator.CreateScope(Block);
        foreach (long bytes in new[] { 0, -1, long.MinValue })
        {
            Assert.Equal("bytes", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.ChargeExternal(bytes)).ParamName);
            Assert.Equal("bytes", Assert.Throws<ArgumentOutOfRangeException>(() => scope.ChargeExternal(bytes)).ParamName);
        }

        Assert.Throws<PixelBudgetExceededException>(() => allocator.ChargeExternal(long.MaxValue));
        scope.Dispose();
        Assert.Throws<ObjectDisposedException>(() => scope.ChargeExternal(1));
        allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => allocator.ChargeExternal(1));
    }

    [Fact]
    public void A_reserved_scope_pays_for_it_from_its_reservation_and_ends_it()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        using (RentScope scope = allocator.ReserveScope(3 * Block))
        {
            scope.ChargeExternal(2 * Block);
            Assert.Equal((3L * Block, 2L * Block, 0L), Figures(allocator));
            Assert.Equal(2L * Block, scope.ChargedBytes);
            Assert.Throws<PixelBudgetExceededException>(() => scope.ChargeExternal((2 * Block) - 1));
            scope.Rent<byte>(Block, 1);
            Assert.Equal((3L * Block, 2L * Block, (long)Block), Figures(allocator));
        }

        Assert.Equal((0L, 0L, 0L), Figures(allocator));
    }

    [Fact]
    public void One_that_outlives_its_reservation_gives_its_part_back_when_it_is_disposed()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        RentScope scope = allocator.ReserveScope(3 * Block);
        using (RentScope inner = scope.CreateScope(2 * Block))
        {
            inner.ChargeExternal(Block).Dispose();
            inner.ChargeExternal(Block);
            Assert.Equal((3L * Block, (long)Block, 0L), Figures(allocator));
        }

        Assert.Equal((3L * Block, 0L, 0L), Figures(allocator));
        scope.Dispose();
        Assert.Equal((0L, 0L, 0L), Figures(allocator));
    }

    [Fact]
    public async Task Who_waits_is_let_in_when_it_ends()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        ExternalCharge charge = allocator.ChargeExternal(3 * Block);
        Task<PixelBuffer<byte>> rent = allocator.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.False(rent.IsCompleted);
        charge.Dispose();
        using PixelBuffer<byte> image = await rent;
        Assert.Equal((2L * Block, 0L, 2L * Block), Figures(allocator));
    }

    [Fact]
    public void It_waits_as_long_as_rents_do()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block, Timeout.InfiniteTimeSpan);
        PixelBuffer<byte> image = allocator.Rent<byte>(Block, 4);
        Task<ExternalCharge> waiting = Task.Factory.StartNew(() => allocator.ChargeExternal(Block), TaskCreationOptions.LongRunning);
        SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, TimeSpan.FromMinutes(1));
        image.Dispose();
        using ExternalCharge charge = waiting.GetAwaiter().GetResult();
        Assert.Equal(((long)Block, (long)Block, 0L), Figures(allocator));
        Assert.Equal(1, allocator.GetStatistics().Waits);
    }

    [Fact]
    public void One_that_is_forgotten_ends_when_it_is_collected_and_counts_as_leaked()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        for (int i = 1; i <= 3; i++)
        {
            Forget(allocator);
            Collector.CollectAll();
            Assert.Equal((0L, 0L, 0L), Figures(allocator));
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((i, i * Block), (statistics.LeakedCount, statistics.LeakedBytes));
        }
    }

    [Fact]
    public void One_that_outlives_the_allocator_can_be_disposed()
    {
        PixelAllocator allocator = Create(budget: 4 * Block);
        ExternalCharge charge = allocator.ChargeExternal(Block);
        allocator.Dispose();
        Assert.Equal(((long)Block, (long)Block, 0L), Figures(allocator));
        charge.Dispose();
        charge.Dispose();
        Assert.Equal((0L, 0L, 0L), Figures(allocator));
    }

    [Fact]
    public void What_has_ended_does_not_end_the_rent_that_came_after_it()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        ExternalCharge charge = allocator.ChargeExternal(Block);
        charge.Dispose();
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 2);
        charge.Dispose();
        Assert.False(image.IsDisposed);
        Assert.Equal((2L * Block, 0L, 2L * Block), Figures(allocator));
    }

    [Fact]
    public void Rents_that_clear_what_they_return_are_not_disturbed_by_it()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.ClearOnReturn = true);
        for (int i = 0; i < 3; i++)
        {
            // The same guard, whose table still has the addresses of the rent before.
            PixelBuffer<byte> image = allocator.Rent<byte>(Block, 2);
            image.Dispose();
            using ExternalCharge charge = allocator.ChargeExternal(1L << 40);
            using PixelBuffer<byte> others = allocator.Rent<byte>(Block, 2);
            others.Fill(7);
            charge.Dispose();
            Assert.Equal(7, others[0, 0]);
        }
    }

    [Fact]
    public void Without_a_budget_it_is_only_counted()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        allocator.Rent<byte>(Block, 3).Dispose();
        using (allocator.ChargeExternal(1L << 50))
        {
            Assert.Equal((0L, 1L << 50, 0L), Figures(allocator));
            Assert.Equal(3 * Block, allocator.GetStatistics().IdleBytes);
        }

        Assert.Equal((0L, 0L, 0L), Figures(allocator));
    }

    [Fact]
    public void Threads_that_dispose_one_together_give_it_back_once()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        using ExternalCharge other = allocator.ChargeExternal(Block);
        for (int i = 0; i < 200; i++)
        {
            ExternalCharge charge = allocator.ChargeExternal(Block);
            Simultaneously.Run(3, _ => charge.Dispose());
            Assert.Equal(((long)Block, (long)Block, 0L), Figures(allocator));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator)
    {
        ExternalCharge charge = allocator.ChargeExternal(Block);
        Assert.Equal(((long)Block, (long)Block, 0L), Figures(allocator));
        GC.KeepAlive(charge);
    }

    private static (long Charged, long External, long Rented) Figures(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        return (statistics.ChargedBytes, statistics.ExternalBytes, statistics.RentedBytes);
    }

    private PixelAllocator Create(long budget, TimeSpan timeout = default) => _system.CreateAllocator(configure: options =>
    {
        options.MaxRentedBytes = budget;
        options.RentTimeout = timeout;
    });
}

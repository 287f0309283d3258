using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Budgets;

public sealed class ScopeBudgetTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void A_scope_is_limited_by_its_own_budget_and_charges_both()
    {
        using PixelAllocator allocator = Create(budget: 5 * Block);
        using (RentScope scope = allocator.CreateScope(3 * Block))
        {
            scope.Rent<byte>(Block, 2);
            Assert.Equal((3L * Block, 2L * Block, 2L * Block), (scope.MaxRentedBytes, scope.ChargedBytes, Charged(allocator)));
            var exception = Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(Block, 2));
            Assert.Equal((2 * Block, 3 * Block), (exception.RequestedBytes, exception.LimitBytes));
            Assert.False(scope.TryRent(Block, 2, out PixelBuffer<byte>? none));
            Assert.Null(none);
            Assert.Equal((2L * Block, 2L * Block), (scope.ChargedBytes, Charged(allocator)));
            using PixelBuffer<byte> outside = allocator.Rent<byte>(Block, 3);
            exception = Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(Block, 1));
            Assert.Equal(5 * Block, exception.LimitBytes);
            Assert.Equal(2L * Block, scope.ChargedBytes);
        }

        Assert.Equal(0, Charged(allocator));
    }

    /// <summary>The next rents are of the same memory, and not the scope's.</summary>
    [Theory]
    [InlineData(Block, 1)]
    [InlineData(Block, 3)]
    [InlineData(10, 10)]
    public void What_its_rents_leave_does_not_pay_back_to_it_again(int width, int height)
    {
        using PixelAllocator allocator = Create(budget: 8 * Block);
        using RentScope scope = allocator.CreateScope(4 * Block);
        for (int round = 0; round < 4; round++)
        {
            scope.Rent<byte>(width, height).Dispose();
            long left = scope.ChargedBytes;
            PixelBuffer<byte>[] next = [.. Enumerable.Range(0, 4).Select(_ => allocator.Rent<byte>(width, (height + 1) / 2))];
            Array.ForEach(next, static image => image.Dispose());
            Assert.Equal(left, scope.ChargedBytes);
        }

        scope.Rent<byte>(Block, 3).Dispose();
        Assert.False(scope.TryRent(Block, 5, out PixelBuffer<byte>? _));
    }

    [Fact]
    public void Without_a_budget_of_the_allocator_a_scope_is_limited_all_the_same()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using RentScope limited = allocator.CreateScope(Block);
        using RentScope reserved = allocator.ReserveScope(2 * Block);
        limited.Rent<byte>(Block, 1);
        reserved.Rent<byte>(Block, 2);
        Assert.Throws<PixelBudgetExceededException>(() => limited.Allocate<byte>(10_000));
        Assert.Throws<PixelBudgetExceededException>(() => reserved.Allocate<byte>(10_000));
        Assert.Null(allocator.GetStatistics().BudgetBytes);
    }

    [Fact]
    public void What_a_reservation_holds_nobody_else_can_rent_and_its_rents_cost_nothing_more()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        using (RentScope scope = allocator.ReserveScope(3 * Block))
        {
            Assert.Equal((3L * Block, 0L), (Charged(allocator), scope.ChargedBytes));
            Assert.False(allocator.TryRent<byte>(Block, 2, out _));
            using PixelBuffer<byte> rest = allocator.Rent<byte>(Block, 1);
            PixelBuffer<byte> first = scope.Rent<byte>(Block, 2);
            Assert.Equal((4L * Block, 2L * Block), (Charged(allocator), scope.ChargedBytes));
            Assert.Throws<PixelBudgetExceededException>(() => scope.Rent<byte>(Block, 2));
            first.Dispose();
            Assert.Equal((4L * Block, 0L), (Charged(allocator), scope.ChargedBytes));
            scope.Rent<byte>(Block, 3);
        }

        Assert.Equal(0, Charged(allocator));
    }

    [Fact]
    public void Memory_that_outlives_its_reservation_gives_its_part_back_when_it_is_returned()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        PixelBuffer<byte> view;
        using (RentScope scope = allocator.ReserveScope(4 * Block))
        {
            view = scope.Rent<byte>(Block, 1).View(0, 0, 10, 1);
        }

        Assert.Equal(Block, Charged(allocator));
        allocator.Rent<byte>(Block, 3).Dispose();
        Assert.False(allocator.TryRent<byte>(Block, 4, out _));
        view.Dispose();
        Assert.Equal(0, Charged(allocator));
    }

    [Fact]
    public void What_can_not_be_returned_keeps_nothing_else_of_its_scope()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = 9 * Block;
            options.ArrayPool = new RefusingArrayPool();
        });
        RentScope scope = allocator.ReserveScope(5 * Block);
        scope.ReserveScope(Block).Rent<byte>(300, 1);
        scope.Rent<byte>(Block, 1);
        scope.Rent<byte>(200, 1);
        scope.ChargeExternal(Block);
        Assert.Equal("200", Assert.Throws<InvalidTimeZoneException>(scope.Dispose).Message);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.ChargedBytes, statistics.ExternalBytes, statistics.RentedBytes));
        Assert.Empty(allocator.GetOutstandingRents());
    }

    [Fact]
    public async Task A_reservation_waits_its_turn_and_what_is_rented_in_it_passes_those_who_wait()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Task<RentScope> waiting = allocator.ReserveScopeAsync(4 * Block, TestContext.Current.CancellationToken).AsTask();
        Task<PixelBuffer<byte>> behind = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.False(waiting.IsCompleted);
        held.Dispose();
        using (RentScope scope = await waiting.SoonAsync())
        {
            Assert.False(behind.IsCompleted);
            scope.Rent<byte>(Block, 2);
            (await scope.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken)).Dispose();
            await Assert.ThrowsAsync<PixelBudgetExceededException>(
                () => scope.RentAsync<byte>(Block, 3, cancellationToken: TestContext.Current.CancellationToken).AsTask());
        }

        (await behind.SoonAsync()).Dispose();
        Assert.Equal(0, Charged(allocator));
    }

    [Fact]
    public async Task Requests_of_a_scope_wait_for_the_scope_first_and_then_for_the_allocator()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        using RentScope scope = allocator.CreateScope(2 * Block);
        PixelBuffer<byte> inside = scope.Rent<byte>(Block, 1);
        PixelBuffer<byte> outside = allocator.Rent<byte>(Block, 3);
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        outside.Dispose();
        Assert.False(waiting.IsCompleted);
        outside = allocator.Rent<byte>(Block, 3);
        inside.Dispose();
        Assert.False(waiting.IsCompleted);
        outside.Dispose();
        (await waiting.SoonAsync()).Dispose();
        Assert.Equal((0L, 0L), (scope.ChargedBytes, Charged(allocator)));
    }

    [Fact]
    public async Task Disposing_a_scope_ends_its_waits_and_takes_nothing()
    {
        using PixelAllocator allocator = Create(budget: 2 * Block);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 2);
        RentScope scope = allocator.CreateScope(2 * Block);
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Task<RentScope> inner = scope.ReserveScopeAsync(Block, TestContext.Current.CancellationToken).AsTask();
        scope.Dispose();
        Assert.Equal(nameof(RentScope), (await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.SoonAsync())).ObjectName);
        Assert.Equal(nameof(RentScope), (await Assert.ThrowsAsync<ObjectDisposedException>(() => inner.SoonAsync())).ObjectName);
        Assert.Equal((0L, 2L * Block), (scope.ChargedBytes, Charged(allocator)));
        held.Dispose();
        allocator.Rent<byte>(Block, 2).Dispose();
    }

    [Fact]
    public void Scopes_in_scopes_charge_all_of_them_and_go_with_the_outermost()
    {
        using PixelAllocator allocator = Create(budget: 8 * Block);
        RentScope tenant = allocator.CreateScope(6 * Block);
        RentScope request = tenant.CreateScope(4 * Block);
        RentScope part = request.ReserveScope(3 * Block);
        part.Rent<byte>(Block, 2);
        request.Rent<byte>(Block, 1);
        Assert.Equal((2L * Block, 4L * Block, 4L * Block, 4L * Block), (part.ChargedBytes, request.ChargedBytes, tenant.ChargedBytes, Charged(allocator)));
        Assert.False(request.TryRent<byte>(Block, 1, out _));
        Assert.True(tenant.TryRent<byte>(Block, 2, out _));
        Assert.False(tenant.TryRent<byte>(Block, 1, out _));
        tenant.Dispose();
        Assert.Equal((0L, 0L, 0L, 0L), (part.ChargedBytes & request.ChargedBytes, request.ChargedBytes, tenant.ChargedBytes, Charged(allocator)));
        Assert.Throws<ObjectDisposedException>(() => part.Rent<byte>(1, 1));
        Assert.Throws<ObjectDisposedException>(() => request.CreateScope(1));
        part.Dispose();
        request.Dispose();
        Assert.Equal(0, Charged(allocator));
    }

    [Fact]
    public void A_slab_charges_the_allocator_with_its_block_and_a_scope_with_the_piece()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.MaxRentedBytes = 4 * Block;
        });
        using RentScope scope = allocator.CreateScope(8192);
        PixelBuffer<byte> first = scope.Rent<byte>(64, 64);
        scope.Rent<byte>(64, 64);
        Assert.Equal((8192L, (long)Block), (scope.ChargedBytes, Charged(allocator)));
        Assert.False(scope.TryRent<byte>(1, 1, out _));
        first.Dispose();
        Assert.Equal((4096L, (long)Block), (scope.ChargedBytes, Charged(allocator)));
        scope.Dispose();
        Assert.Equal((0L, 0L), (scope.ChargedBytes, Charged(allocator)));
    }

    [Fact]
    public void A_forgotten_reservation_comes_back_with_a_collection()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        Forget(allocator);
        Collector.CollectAll();
        Assert.Equal(0, Charged(allocator));

        // The image and the reservation; that is no memory by itself.
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((2L, 2L * Block), (statistics.LeakedCount, statistics.LeakedBytes));

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Forget(PixelAllocator allocator)
        {
            RentScope scope = allocator.ReserveScope(3 * Block);
            scope.Rent<byte>(Block, 2);
            Assert.Equal(3L * Block, Charged(allocator));
            GC.KeepAlive(scope);
        }
    }

    /// <summary>The guards of its leases serve others, or wait for them: they know the scope no longer.</summary>
    [Theory]
    [InlineData(Block)]
    [InlineData(1000)]
    public void A_forgotten_scope_comes_back_although_leases_of_it_have_ended(int bytes)
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        Forget(allocator, bytes);
        Collector.CollectAll();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0, 2), (Charged(allocator), statistics.RentedBytes, statistics.LeakedCount));

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Forget(PixelAllocator allocator, int bytes)
        {
            RentScope scope = allocator.ReserveScope(3 * Block);
            scope.Lease<byte>(bytes, 1).Dispose();
            scope.Lease<byte>(bytes, 1).Dispose();
            scope.Rent<byte>(Block, 1);
            new PixelPoolStream(scope, bytes).Dispose();
        }
    }

    [Fact]
    public void A_scope_that_lives_long_remembers_only_what_is_not_disposed()
    {
        using PixelAllocator allocator = Create(budget: 4 * Block);
        using RentScope scope = allocator.CreateScope(4 * Block);
        PixelBuffer<byte> kept = scope.Rent<byte>(Block, 1);
        (WeakReference first, WeakReference owner) = RentAndDispose(scope);
        for (int i = 0; i < 100; i++)
        {
            scope.Rent<byte>(Block, 1).Dispose();
        }

        Collector.CollectAll();
        Assert.False(first.IsAlive);
        Assert.False(owner.IsAlive);
        scope.Dispose();
        Assert.True(kept.IsDisposed);

        [MethodImpl(MethodImplOptions.NoInlining)]
        static (WeakReference Image, WeakReference Owner) RentAndDispose(RentScope scope)
        {
            PixelBuffer<byte> image = scope.Rent<byte>(Block, 1);
            image.Dispose();
            System.Buffers.IMemoryOwner<byte> owner = scope.Allocate<byte>(10_000);
            owner.Dispose();
            return (new WeakReference(image), new WeakReference(owner));
        }
    }

    [Fact]
    public void Misuse_is_an_error()
    {
        PixelAllocator allocator = Create(budget: 4 * Block);
        Assert.Equal("maxBytes", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.CreateScope(0)).ParamName);
        Assert.Equal("bytes", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.ReserveScope(-1)).ParamName);
        Assert.Equal("bytes", Assert.Throws<ArgumentOutOfRangeException>(() => { _ = allocator.ReserveScopeAsync(0); }).ParamName);
        Assert.Throws<PixelBudgetExceededException>(() => allocator.ReserveScope((4 * Block) + 1));
        Assert.Throws<PixelBudgetExceededException>(() => allocator.ReserveScope(long.MaxValue));
        Assert.Equal(0, Charged(allocator));
        allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => allocator.CreateScope(1));
        Assert.Throws<ObjectDisposedException>(() => allocator.ReserveScope(1));
        Assert.Equal(nameof(PixelAllocator), Assert.Throws<ObjectDisposedException>(() => new RentScope(allocator)).ObjectName);
    }

    private static long Charged(PixelAllocator allocator) => allocator.GetStatistics().ChargedBytes;

    private PixelAllocator Create(long budget) => _system.CreateAllocator(configure: options => options.MaxRentedBytes = budget);
}

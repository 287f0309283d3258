using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>
/// Requests that are small against the budget, and those of whoever holds memory already, pass requests that wait: as far as those do not starve.
/// </summary>
public sealed class PassingTests : LargeBudgetTest
{
    /// <summary>What the budget of the allocator is full of may be charged and idle.</summary>
    [Fact]
    public async Task Small_requests_pass_in_a_scope_where_only_idle_memory_fills_the_allocators_budget()
    {
        using RentScope scope = Allocator.CreateScope(Blocks * Block);
        PixelBuffer<byte> held = scope.Rent<byte>(Block, 60);
        Allocator.Rent<byte>(Block, Blocks - 60).Dispose();
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, Blocks - 59, cancellationToken: Token).AsTask();
        Assert.False(waiting.IsCompleted);
        Assert.True(scope.TryRent(Block, 1, out PixelBuffer<byte>? passed));
        passed.Dispose();
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Small_requests_pass_and_others_do_not(bool inScope)
    {
        using RentScope scope = Allocator.CreateScope(Blocks * Block);
        PixelBuffer<byte> held = scope.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = (inScope ? scope.RentAsync<byte>(Block, 60, cancellationToken: Token) : Allocator.RentAsync<byte>(Block, 60, cancellationToken: Token)).AsTask();
        Assert.False(waiting.IsCompleted);

        // Three blocks are more than a 64th.
        Assert.False(scope.TryRent(Block, 3, out PixelBuffer<byte>? _));
        Assert.True(Allocator.TryRent(Block, 2, out PixelBuffer<byte>? tried));
        using PixelBuffer<byte> rented = Allocator.Rent<byte>(Block, 2);
        using PixelBuffer<byte> ofScope = scope.Rent<byte>(Block, 2);
        using PixelLease<byte> awaited = await Allocator.LeaseAsync<byte>(Block, 2, cancellationToken: Token).AsTask().SoonAsync();
        tried.Dispose();
        Assert.False(waiting.IsCompleted);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task They_pass_until_as_many_bytes_as_the_whole_budget_have_and_then_the_first_one_is_next()
    {
        PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = Allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        for (int i = 0; i < Blocks / 2; i++)
        {
            Assert.True(Allocator.TryRent(Block, 2, out PixelBuffer<byte>? small));
            small.Dispose();
        }

        Assert.False(Allocator.TryRent(1, 5000, out PixelBuffer<byte>? _));
        Task<PixelBuffer<byte>> late = Allocator.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        Assert.False(late.IsCompleted);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
        (await late.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task When_nothing_is_returned_for_a_while_they_pass_again()
    {
        PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = Allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        PixelBuffer<byte>[] passed = [.. Enumerable.Range(0, 10).Select(_ => Allocator.Rent<byte>(Block, 2))];
        for (int i = 10; i < Blocks / 2; i++)
        {
            Allocator.Rent<byte>(Block, 2).Dispose();
        }

        // Whoever holds the memory needs a little more to finish.
        Task<PixelBuffer<byte>> needed = Allocator.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(needed.IsCompleted, "something was returned");
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(1));
        (await needed.SoonAsync()).Dispose();
        Assert.False(waiting.IsCompleted);
        held.Dispose();
        Array.ForEach(passed, static image => image.Dispose());
        (await waiting.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task Whoever_holds_memory_in_a_scope_passes_those_who_hold_nothing()
    {
        using var scope = new RentScope(Allocator);
        using var empty = new RentScope(Allocator);
        PixelBuffer<byte> held = scope.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> newcomer = empty.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> second = Allocator.RentAsync<byte>(Block, 20, cancellationToken: Token).AsTask();

        // It fits, and nobody would ever return what the others wait for otherwise.
        using PixelBuffer<byte> more = await scope.RentAsync<byte>(Block, 20, cancellationToken: Token).AsTask().SoonAsync();
        Assert.False(newcomer.IsCompleted || second.IsCompleted);
        held.Dispose();
        (await newcomer.SoonAsync()).Dispose();
        (await second.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task A_thread_that_holds_memory_passes_those_who_hold_nothing()
    {
        PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> newcomer = Task.Factory.StartNew(
            () => Allocator.Rent<byte>(Block, 60), Token, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Assert.True(SpinWait.SpinUntil(() => Allocator.GetStatistics().WaitingRents == 1, Limit));
        PixelBuffer<byte> more = Allocator.Rent<byte>(Block, 20);
        Assert.False(newcomer.IsCompleted);
        more.Dispose();
        held.Dispose();
        (await newcomer.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task Of_those_who_hold_something_whoever_needs_least_is_first()
    {
        using var first = new RentScope(Allocator);
        using var second = new RentScope(Allocator);
        using var third = new RentScope(Allocator);
        PixelBuffer<byte> held = first.Rent<byte>(Block, 50);
        second.Rent<byte>(Block, 50);
        third.Rent<byte>(Block, 8);
        Task<PixelBuffer<byte>> large = first.RentAsync<byte>(Block, 40, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> larger = third.RentAsync<byte>(Block, 50, cancellationToken: Token).AsTask();
        Assert.False(large.IsCompleted || larger.IsCompleted);

        // It fits. Behind the others it would wait forever: they wait for what it holds.
        await second.RentAsync<byte>(Block, 10, cancellationToken: Token).AsTask().SoonAsync();
        held.Dispose();
        Assert.NotNull(await large.SoonAsync());
        Assert.False(larger.IsCompleted);
        second.Dispose();
        Assert.NotNull(await larger.SoonAsync());
    }

    [Fact]
    public async Task Small_requests_of_a_scope_that_holds_much_pass_until_twice_as_many_bytes_as_the_budget_have()
    {
        using RentScope scope = Allocator.CreateScope(Blocks * Block);
        using var other = new RentScope(Allocator);
        PixelBuffer<byte> held = scope.Rent<byte>(Block, 100);
        Task<PixelBuffer<byte>> waiting = other.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        for (int i = 0; i < Blocks; i++)
        {
            (await scope.RentAsync<byte>(Block, 2, cancellationToken: Token).AsTask().SoonAsync()).Dispose();
        }

        // Neither do those of a scope that holds nothing.
        Task<PixelBuffer<byte>> late = other.RentAsync<byte>(Block, 1, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> tooMany = scope.RentAsync<byte>(Block, 2, cancellationToken: Token).AsTask();
        Assert.False(late.IsCompleted || tooMany.IsCompleted || waiting.IsCompleted);

        // What they hold may be what the first one waits for: so they pass again when nobody is let in for a while.
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(2));
        (await tooMany.SoonAsync()).Dispose();
        Assert.False(waiting.IsCompleted);
        held.Dispose();
        (await waiting.SoonAsync()).Dispose();
        (await late.SoonAsync()).Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_stream_of_small_requests_of_one_scope_does_not_keep_a_large_one_out(bool inScope)
    {
        using RentScope tenant = Allocator.CreateScope(Blocks * Block);
        var stream = new Queue<PixelBuffer<byte>>();
        for (int i = 0; i < 20; i++)
        {
            stream.Enqueue(tenant.Rent<byte>(Block, 2));
        }

        Task<PixelBuffer<byte>> large = (inScope ? tenant.RentAsync<byte>(Block, 120, cancellationToken: Token) : Allocator.RentAsync<byte>(Block, 120, cancellationToken: Token)).AsTask();
        List<Task<PixelBuffer<byte>>> late = [];
        int passed = 0;
        while (passed <= Blocks && stream.Count != 0)
        {
            // Each caller returns what it has and asks for as much again.
            Task<PixelBuffer<byte>> small = tenant.RentAsync<byte>(Block, 2, cancellationToken: Token).AsTask();
            stream.Dequeue().Dispose();
            if (small.IsCompletedSuccessfully)
            {
                stream.Enqueue(await small);
                passed++;
            }
            else
            {
                late.Add(small);
            }
        }

        Assert.InRange(passed, 0, Blocks);
        (await large.SoonAsync()).Dispose();
        Array.ForEach(await Task.WhenAll(late).SoonAsync(), static small => small.Dispose());
    }

    [Fact]
    public async Task So_do_small_requests_of_a_thread_that_holds_much()
    {
        Task<PixelBuffer<byte>> waiting = null!;
        using var isHeld = new ManualResetEventSlim();
        int passed = 0;
        Task thread = Task.Factory.StartNew(
            () =>
            {
                using PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 100);
                waiting = Allocator.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
                isHeld.Set();
                for (int i = 0; i <= Blocks; i++)
                {
                    Allocator.Rent<byte>(Block, 2).Dispose();
                    Interlocked.Increment(ref passed);
                }
            },
            Token,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        Assert.True(isHeld.Wait(Limit, Token));
        Assert.True(SpinWait.SpinUntil(() => Allocator.GetStatistics().WaitingRents == 2 && Volatile.Read(ref passed) == Blocks, Limit));
        PoolSystem.Time.Advance(TimeSpan.FromSeconds(2));
        await thread.SoonAsync();
        (await waiting.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task The_last_64th_is_left_to_those_who_hold_much()
    {
        using RentScope scope = Allocator.CreateScope(Blocks * Block);
        using var little = new RentScope(Allocator);
        scope.Rent<byte>(Block, 100);
        PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 20);
        little.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>> waiting = Allocator.RentAsync<byte>(Block, 26, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> further = Allocator.RentAsync<byte>(Block, 90, cancellationToken: Token).AsTask();
        Assert.True(Allocator.TryRent(Block, 2, out PixelBuffer<byte>? passed));
        passed.Dispose();

        // Three blocks are left.
        PixelBuffer<byte>[] others = [Allocator.Rent<byte>(Block, 2), Allocator.Rent<byte>(Block, 2)];
        Assert.False(Allocator.TryRent(Block, 2, out PixelBuffer<byte>? _));
        Task<PixelBuffer<byte>> last = little.RentAsync<byte>(Block, 2, cancellationToken: Token).AsTask();
        Assert.False(last.IsCompleted);
        (await scope.RentAsync<byte>(Block, 2, cancellationToken: Token).AsTask().SoonAsync()).Dispose();
        Array.ForEach(others, static other => other.Dispose());
        (await last.SoonAsync()).Dispose();

        // What waits would fill it to the last byte.
        held.Dispose();
        Assert.False(waiting.IsCompleted);
        (await scope.RentAsync<byte>(Block, 2, cancellationToken: Token).AsTask().SoonAsync()).Dispose();
        scope.Dispose();
        (await waiting.SoonAsync()).Dispose();
        (await further.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task Who_waits_alone_gets_the_last_byte()
    {
        Allocator.Rent<byte>(1, 1).Dispose();
        PixelBuffer<byte> first = Allocator.Rent<byte>(Block, 64);
        using PixelBuffer<byte> second = Allocator.Rent<byte>(Block, 64);
        Task<PixelBuffer<byte>> third = Allocator.RentAsync<byte>(Block, 64, cancellationToken: Token).AsTask();
        first.Dispose();
        (await third.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task Where_nobody_asks_for_little_a_budget_is_filled_to_the_last_byte()
    {
        PixelBuffer<byte> first = Allocator.Rent<byte>(Block, 64);
        using PixelBuffer<byte> second = Allocator.Rent<byte>(Block, 64);
        Task<PixelBuffer<byte>> third = Allocator.RentAsync<byte>(Block, 64, cancellationToken: Token).AsTask();

        // So that nobody waits alone.
        Task<PixelBuffer<byte>> fourth = Allocator.RentAsync<byte>(Block, 64, cancellationToken: Token).AsTask();
        Assert.False(third.IsCompleted || fourth.IsCompleted);
        first.Dispose();
        PixelBuffer<byte> granted = await third.SoonAsync();
        Assert.False(fourth.IsCompleted);
        granted.Dispose();
        (await fourth.SoonAsync()).Dispose();
    }

    [Fact]
    public async Task Whoever_is_next_because_enough_have_passed_is_served_at_once()
    {
        using RentScope scope = new(Allocator);
        PixelBuffer<byte> ten = scope.Rent<byte>(Block, 10);
        PixelBuffer<byte> held = Allocator.Rent<byte>(Block, 80);
        PixelBuffer<byte> alsoTen = Allocator.Rent<byte>(Block, 10);
        Task<PixelBuffer<byte>> longest = Allocator.RentAsync<byte>(Block, 30, cancellationToken: Token).AsTask();
        Task<PixelBuffer<byte>> holder = scope.RentAsync<byte>(Block, 60, cancellationToken: Token).AsTask();
        alsoTen.Dispose();
        for (int i = 0; i < 34; i++)
        {
            Assert.True(Allocator.TryRent(Block, 2, out PixelBuffer<byte>? small));
            small.Dispose();
        }

        Assert.False(longest.IsCompleted);
        Assert.True(Allocator.TryRent(Block, 2, out PixelBuffer<byte>? kept));
        (await longest.SoonAsync()).Dispose();
        kept.Dispose();
        held.Dispose();
        ten.Dispose();
        (await holder.SoonAsync()).Dispose();
    }
}

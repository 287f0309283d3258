using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>A request that waits for its allocator keeps a part of its scope: those of its scope who hold what it waits for do not wait for that part forever.</summary>
public sealed class StepBackTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    private readonly BudgetRequests _requests = new(
        new PixelAllocatorOptions(), new MemoryAccounts(new SilentListener()), nameof(PixelAllocator), budget: null, static () => false, static (_, _) => { });
    private readonly MemoryBudget _outer = new(7);
    private readonly MemoryBudget _inner;

    public StepBackTests() => _inner = new MemoryBudget(4, _outer, isReservation: false);

    public void Dispose() => _requests.Dispose();

    [Fact]
    public async Task Whoever_needs_a_little_more_of_the_scope_to_finish_gets_it()
    {
        using var system = new TestSystem();
        system.Time.FireNewTimersAtOnce = false;
        using PixelAllocator allocator = system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = 7 * Block;
            options.SmallBufferThresholdBytes = 0;
            options.LongWaitThreshold = TimeSpan.FromSeconds(5);
        });
        bool isDeadlock = false;
        allocator.LongWait += (_, wait) => isDeadlock |= wait.IsDeadlock;
        using PixelBuffer<byte> other = allocator.Rent<byte>(Block, 4);
        using RentScope tenant = allocator.CreateScope(4 * Block);
        PixelBuffer<byte> first = tenant.Rent<byte>(Block, 2);
        Task<PixelBuffer<byte>> waitsForTheAllocator = tenant.RentAsync<byte>(Block, 2, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Task<PixelBuffer<byte>> more = tenant.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.Equal(4 * Block, tenant.ChargedBytes);
        for (int seconds = 0; seconds < 3; seconds++)
        {
            system.Time.Advance(TimeSpan.FromSeconds(1));
        }

        PixelBuffer<byte> second = await more.WaitAsync(s_limit, TestContext.Current.CancellationToken);
        Assert.False(waitsForTheAllocator.IsCompleted);
        first.Dispose();
        second.Dispose();
        (await waitsForTheAllocator.WaitAsync(s_limit, TestContext.Current.CancellationToken)).Dispose();
        Assert.Equal((0L, 4L * Block, false), (tenant.ChargedBytes, allocator.GetStatistics().ChargedBytes, isDeadlock));
    }

    [Fact]
    public void It_gives_back_what_it_was_granted_and_begins_anew()
    {
        Assert.True(_outer.TryCharge(4));
        Assert.True(_inner.TryCharge(2));
        using (BudgetWait wait = Begin(2))
        using (BudgetWait more = Begin(1))
        {
            Assert.Same(_outer, wait.Next()!.Budget);
            Assert.Equal((true, false), (wait.Keeps(_inner), wait.Keeps(_outer)));
            Assert.Same(_inner, more.Next()!.Budget);
            Assert.False(more.Keeps(_inner));
            wait.StepBack();
            BudgetWaiter anew = wait.Next()!;
            Assert.Same(_inner, anew.Budget);

            // The other one got its part, and goes on.
            Assert.Null(more.Next());
            more.BeginAnew(1);
            Assert.Same(_outer, wait.Next()!.Budget);
            _outer.Release(4);
            Assert.Null(wait.Next());
        }

        Assert.Equal((2, 2), (_inner.ChargedBytes, _outer.ChargedBytes));
    }

    /// <summary>What is given back is for whoever fits: who gives it back comes first, and who is next needs more.</summary>
    [Fact]
    public void What_it_gives_back_lets_somebody_in_who_is_behind_others()
    {
        Assert.True(_outer.TryCharge(5));
        Assert.True(_inner.TryCharge(1));
        using (BudgetWait wait = Begin(2))
        using (BudgetWait large = Begin(4))
        using (BudgetWait small = Begin(3))
        {
            Assert.Same(_outer, wait.Next()!.Budget);
            Assert.Same(_inner, large.Next()!.Budget);
            Assert.Same(_inner, small.Next()!.Budget);
            Assert.Contains(Enumerable.Range(0, 20), _ => _inner.LookForStall(keptBytes: 2));
            wait.StepBack();
            Assert.Same(_inner, wait.Next()!.Budget);
            Assert.Same(_outer, small.Next()!.Budget);
            Assert.Equal(4, _inner.ChargedBytes);
        }

        Assert.Equal((1, 6), (_inner.ChargedBytes, _outer.ChargedBytes));
    }

    /// <summary>Two of a scope that do not fit together take turns: others who always come would be served before either of them.</summary>
    [Fact]
    public void It_comes_back_to_its_place_in_the_line_that_it_left()
    {
        Assert.True(_outer.TryCharge(7));
        using (BudgetWait first = BeginOutside(7))
        using (BudgetWait one = Begin(3))
        using (BudgetWait other = Begin(3))
        {
            Assert.Same(_outer, first.Next()!.Budget);
            Assert.Same(_outer, one.Next()!.Budget);
            Assert.Same(_inner, other.Next()!.Budget);
            TakeTurns(one, other);
            _outer.Release(7);
            Assert.Null(first.Next());
            using (BudgetWait second = BeginOutside(7))
            {
                Assert.Same(_outer, second.Next()!.Budget);
                TakeTurns(other, one);
                first.BeginAnew(7);
                Assert.Null(one.Next());
                one.BeginAnew(3);
                Assert.Null(second.Next());
                second.BeginAnew(7);
                Assert.Null(other.Next());
                other.BeginAnew(3);
            }
        }

        Assert.Equal((0, 0), (_inner.ChargedBytes, _outer.ChargedBytes));

        void TakeTurns(BudgetWait from, BudgetWait to)
        {
            from.StepBack();
            Assert.Same(_inner, from.Next()!.Budget);
            Assert.Same(_outer, to.Next()!.Budget);
        }
    }

    [Fact]
    public void One_that_was_granted_or_has_ended_does_not()
    {
        Assert.True(_outer.TryCharge(7));
        using (BudgetWait wait = Begin(2))
        {
            BudgetWaiter waiter = wait.Next()!;
            _outer.Release(7);
            wait.StepBack();
            Assert.Equal(WaiterState.Granted, waiter.State);
            Assert.Null(wait.Next());
        }

        Assert.True(_outer.TryCharge(7));
        using (BudgetWait wait = Begin(2))
        {
            Assert.NotNull(wait.Next());
            wait.StepBack();
            wait.End(WaitOutcome.Cancelled);
            wait.StepBack();
            Assert.Throws<OperationCanceledException>(() => wait.Next());
        }

        Assert.Equal((0, 7), (_inner.ChargedBytes, _outer.ChargedBytes));
    }

    [Fact]
    public void Nobody_steps_back_where_that_lets_nobody_in()
    {
        Assert.True(_outer.TryCharge(5));
        Assert.True(_inner.TryCharge(1));
        using BudgetWait wait = Begin(2);
        using BudgetWait more = Begin(4);
        Assert.Same(_outer, wait.Next()!.Budget);
        Assert.Same(_inner, more.Next()!.Budget);
        Assert.All(Enumerable.Range(0, 20), _ => Assert.False(_inner.LookForStall(keptBytes: 2)));
        _inner.ReleaseUpTo(_inner.Next, 1);
        Assert.Contains(Enumerable.Range(0, 20), _ => _inner.LookForStall(keptBytes: 2));
    }

    [Fact]
    public void Ends_that_come_together_lose_nothing()
    {
        int seed = Environment.TickCount;
        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int round = 0; round < 20_000; round++)
        {
            Assert.True(_outer.TryCharge(7));
            using (BudgetWait wait = Begin(2))
            {
                bool isCancelled = random.Next(2) == 0;
                BudgetWaiter? waiter = wait.Next();
                Parallel.Invoke(
                    () => wait.StepBack(),
                    () => _outer.Release(7),
                    () =>
                    {
                        if (isCancelled)
                        {
                            wait.End(WaitOutcome.Cancelled);
                        }
                    });
                try
                {
                    Assert.Null(wait.Next());
                }
                catch (OperationCanceledException) when (isCancelled)
                {
                    // It ended, and holds nothing.
                }
            }

            Assert.Equal((0, 0), (_inner.ChargedBytes, _outer.ChargedBytes));
        }
    }

    private BudgetWait BeginOutside(long bytes) => new(_outer, bytes, _requests, new Newcomer(), continuation: null);

    private BudgetWait Begin(long bytes) => new(_inner, bytes, _requests, new Newcomer(), continuation: null);
}

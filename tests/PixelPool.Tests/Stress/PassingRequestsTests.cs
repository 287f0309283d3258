namespace PixelPool.Tests.Stress;

/// <summary>
/// Requests that pass each other, in allocators, in scopes and in scopes of scopes, while others give up, are cancelled, are interrupted, or lose their scope or allocator. The budgets are
/// never exceeded, and nothing stays charged or in line.
/// </summary>
[Trait("Category", "Long")]
public class PassingRequestsTests
{
    private const int Threads = 8;
    private const int Block = 64 << 10;
    private const int Budget = 128;
    private const int SmallBlocks = Budget / 64;
    private const int TenantBlocks = 96;
    private const int InnerBlocks = 80;
    private const double DefaultSeconds = 1.5;

    /// <summary>The time limit of a wait in milliseconds, whether threads are interrupted, and whether allocators are disposed meanwhile.</summary>
    [Theory]
    [InlineData(2, false, false)]
    [InlineData(20, false, true)]
    [InlineData(2, true, false)]
    [InlineData(20, true, true)]
    public void Budgets_are_exact_and_nobody_is_left_in_line(int timeout, bool interrupts, bool disposes)
    {
        int seed = StressTime.Seed();
        Random[] randoms = [.. Enumerable.Range(0, Threads).Select(thread => new Random(seed + thread))];
        var shared = new Tenants(Create(timeout));
        long rents = 0;
        void Work(int thread)
        {
            Tenants used = Volatile.Read(ref shared);
            try
            {
                One(used, randoms[thread]);
                Interlocked.Increment(ref rents);
                Assert.InRange(used.Allocator.GetStatistics().RentedBytes, 0, Budget * Block);
                Assert.InRange(used.Inner.ChargedBytes, 0, InnerBlocks * Block);
            }
            catch (Exception e) when (e is PixelBudgetExceededException or OperationCanceledException or ObjectDisposedException)
            {
                // One of the ways to end. The sums at the end say whether anything was taken.
            }

            if (disposes && randoms[thread].Next(500) == 0)
            {
                used = Interlocked.Exchange(ref shared, new Tenants(Create(timeout)));
                used.Dispose(randoms[thread].Next(2) == 0);
            }
        }

        Run(interrupts, Work);
        TestContext.Current.TestOutputHelper?.WriteLine($"{rents} operations, {shared.Allocator.GetStatistics()}");
        PixelPoolStatistics statistics = shared.Allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.ChargedBytes, statistics.RentedBytes, statistics.WaitingRents));
        Assert.Equal((0L, 0L), (shared.Tenant.ChargedBytes, shared.Inner.ChargedBytes));
        Assert.Empty(shared.Allocator.GetWaitingRents());
        shared.Inner.Rent<byte>(Block, InnerBlocks).Dispose();
        Assert.True(shared.Allocator.RentAsync<byte>(Block, Budget).AsTask().Wait(TimeSpan.FromMinutes(1)));
        shared.Dispose(scopesFirst: true);
    }

    private static void Run(bool interrupts, Action<int> work)
    {
        TimeSpan time = StressTime.Of(DefaultSeconds);
        if (interrupts)
        {
            InterruptedThreads.Run(Threads, time, work);
            return;
        }

        long began = TimeProvider.System.GetTimestamp();
        Simultaneously.Run(Threads, time + TimeSpan.FromMinutes(2), thread =>
        {
            while (TimeProvider.System.GetElapsedTime(began) < time)
            {
                work(thread);
            }
        });
    }

    // Of the system's memory: a fake one has locks that interrupts end.
    private static PixelAllocator Create(int timeout) => PixelAllocator.Create(new PixelAllocatorOptions
    {
        BlockBytes = Block,
        SmallBuffers = SmallBufferStrategy.None,
        MaxPooledBytes = Budget * Block,
        MaxRentedBytes = Budget * Block,
        RentTimeout = TimeSpan.FromMilliseconds(timeout),
        AsyncRentTimeout = TimeSpan.FromMilliseconds(10 * timeout),
        LongWaitThreshold = TimeSpan.FromMilliseconds(timeout),
    });

    private static void One(Tenants tenants, Random random)
    {
        switch (random.Next(5))
        {
            case 0:
                HoldAndAskForMore(tenants.Allocator.Rent<byte>, random);
                break;

            case 1:
                HoldAndAskForMore(tenants.Tenant.Rent<byte>, random);
                break;

            case 2:
                // A scope of a scope of a scope, which ends beside a request that waits in it, or is being let in.
                using (RentScope own = tenants.Inner.CreateScope(InnerBlocks * Block))
                {
                    HoldAndAskForMore(own.Rent<byte>, random);
                    Task<PixelBuffer<byte>> late = own.RentAsync<byte>(Block, random.Next(1, 40)).AsTask();
                    Thread.SpinWait(random.Next(1000));
                    own.Dispose();
                    ReturnLater(late);
                }

                break;

            case 3:
                using (RentScope reserved = tenants.Inner.ReserveScope(random.Next(1, 60) * Block))
                {
                    reserved.Rent<byte>(Block, 1);
                }

                break;

            default:
                using (var cancellation = new CancellationTokenSource())
                {
                    Task<PixelBuffer<byte>> rent = tenants.Inner.RentAsync<byte>(Block, random.Next(1, 60), cancellationToken: cancellation.Token).AsTask();
                    Thread.SpinWait(random.Next(1000));
                    InterruptedThreads.Persist(cancellation.Cancel);
                    ReturnLater(rent);
                }

                break;
        }
    }

    private static void HoldAndAskForMore(Func<int, int, AllocationOptions, PixelBuffer<byte>> rent, Random random)
    {
        using PixelBuffer<byte> held = rent(Block, random.Next(1, 50), AllocationOptions.None);
        for (int i = 0; i < 4; i++)
        {
            using PixelBuffer<byte> small = rent(Block, random.Next(1, SmallBlocks + 1), AllocationOptions.None);
            using PixelBuffer<byte> more = rent(Block, random.Next(1, 20), AllocationOptions.None);
        }
    }

    private static void ReturnLater(Task<PixelBuffer<byte>> rent)
    {
        InterruptedThreads.Persist(() => Task.WaitAny(rent));
        if (rent.IsCompletedSuccessfully)
        {
            rent.Result.Dispose();
        }
    }

    /// <summary>An allocator, and scopes that all threads share.</summary>
    private sealed class Tenants
    {
        public Tenants(PixelAllocator allocator)
        {
            Allocator = allocator;
            Tenant = allocator.CreateScope(TenantBlocks * Block);
            Inner = Tenant.CreateScope(InnerBlocks * Block);
        }

        public PixelAllocator Allocator { get; }

        public RentScope Tenant { get; }

        public RentScope Inner { get; }

        public void Dispose(bool scopesFirst)
        {
            if (scopesFirst)
            {
                Tenant.Dispose();
            }

            Allocator.Dispose();
            Tenant.Dispose();
        }
    }
}

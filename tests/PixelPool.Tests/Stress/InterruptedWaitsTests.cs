using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Stress;

/// <summary>
/// Waits for budget that end in several ways at once: granted, interrupted, out of time, cancelled, and with their scope or allocator disposed. Whatever comes
/// together, the budget is never exceeded, and nothing stays charged or in line.
/// </summary>
[Trait("Category", "Long")]
public class InterruptedWaitsTests
{
    private const int Threads = 6;
    private const int Block = TestSystem.BlockBytes;
    private const int Budget = 2;
    private const double DefaultSeconds = 1.5;

    /// <summary>The time limit of a wait in milliseconds, and whether scopes and allocators are disposed meanwhile.</summary>
    [Theory]
    [InlineData(1, false)]
    [InlineData(1, true)]
    [InlineData(20, true)]
    public void Budget_is_exact_and_nobody_is_left_in_line(int timeout, bool disposes)
    {
        using var system = new TestSystem();
        int seed = StressTime.Seed();
        Random[] randoms = [.. Enumerable.Range(0, Threads).Select(thread => new Random(seed + thread))];
        PixelAllocator allocator = Create(system, timeout);
        long rents = 0;
        long interrupts = InterruptedThreads.Run(
            Threads,
            StressTime.Of(DefaultSeconds),
            thread =>
            {
                PixelAllocator used = Volatile.Read(ref allocator);
                try
                {
                    One(used, randoms[thread]);
                    Interlocked.Increment(ref rents);
                    Assert.InRange(used.GetStatistics().RentedBytes, 0, Budget * Block);
                }
                catch (Exception e) when (e is PixelBudgetExceededException or OperationCanceledException or ObjectDisposedException)
                {
                    // One of the ways to end. The sums at the end say whether anything was taken.
                }

                if (disposes && randoms[thread].Next(500) == 0)
                {
                    PixelAllocator next = Create(system, timeout);
                    used = Interlocked.Exchange(ref allocator, next);
                    used.Dispose();
                }
            });
        TestContext.Current.TestOutputHelper?.WriteLine($"{rents} rents, {interrupts} interrupts");
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.ChargedBytes, statistics.RentedBytes, statistics.WaitingRents));
        allocator.Rent<byte>(Block, Budget).Dispose();
        Assert.True(allocator.RentAsync<byte>(Block, Budget).AsTask().Wait(TimeSpan.FromMinutes(1)));
        allocator.Dispose();
    }

    private static PixelAllocator Create(TestSystem system, int timeout) => system.CreateAllocator(configure: options =>
    {
        options.TimeProvider = TimeProvider.System;
        options.MaxRentedBytes = Budget * Block;
        options.RentTimeout = TimeSpan.FromMilliseconds(timeout);
    });

    private static void One(PixelAllocator allocator, Random random)
    {
        switch (random.Next(5))
        {
            case 0:
                allocator.Rent<byte>(Block, random.Next(1, Budget + 1)).Dispose();
                break;

            case 1:
                using (RentScope scope = allocator.CreateScope(Budget * Block))
                {
                    scope.Rent<byte>(Block, random.Next(1, Budget + 1));
                }

                break;

            case 2:
                using (var cancellation = new CancellationTokenSource())
                {
                    Task<PixelBuffer<byte>> rent = allocator.RentAsync<byte>(Block, 1, cancellationToken: cancellation.Token).AsTask();
                    InterruptedThreads.Persist(cancellation.Cancel);
                    ReturnLater(rent);
                }

                break;

            case 3:
                RentScope shared = allocator.CreateScope(Block);
                Task<PixelBuffer<byte>> inScope = shared.RentAsync<byte>(Block, 1).AsTask();
                shared.Dispose();
                ReturnLater(inScope);
                break;

            default:
                using (allocator.ReserveScope(Block))
                {
                    Thread.Yield();
                }

                break;
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
}

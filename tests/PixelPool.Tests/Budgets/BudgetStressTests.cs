using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Eight threads rent in every way under one budget: it is never exceeded, nobody waits forever, and nothing stays charged.</summary>
public class BudgetStressTests
{
    private const int Block = TestSystem.BlockBytes;
    private const int Budget = 6;
    private const int Threads = 8;
    private const int Rounds = 400;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Category", "Long")]
    public void The_budget_is_exact_under_eight_threads(bool memoryRunsOut) =>
        ChildProcess.Run(RentInEveryWay, [memoryRunsOut.ToString()]); // with an empty heap collections are fast

    private static void RentInEveryWay(string[] arguments)
    {
        bool memoryRunsOut = bool.Parse(arguments[0]);
        int seed = Environment.TickCount;
        Console.WriteLine($"seed {seed}");
        using TestSystem system = memoryRunsOut ? TestSystem.Alone() : new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: options =>
        {
            options.MaxRentedBytes = Budget * Block;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
            options.SmallBufferThresholdBytes = 0;
            options.SmallBuffers = SmallBufferStrategy.None;
        });
        using RentScope tenant = allocator.CreateScope(4 * Block);
        long held = 0;
        Simultaneously.Run(Threads, TimeSpan.FromMinutes(5), thread =>
        {
            var random = new Random(seed + thread);
            for (int i = 0; i < Rounds; i++)
            {
                int blocks = random.Next(1, 5);
                try
                {
                    if (memoryRunsOut && random.Next(8) == 0)
                    {
                        allocator.Trim();
                        system.Source.FailNext(6);
                    }

                    One(allocator, tenant, random, blocks, ref held);
                }
                catch (Exception e) when (e is OutOfMemoryException or PixelBudgetExceededException or OperationCanceledException)
                {
                    // Nothing was taken: the sums at the end say so.
                }
            }
        });
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L, 0L), (statistics.ChargedBytes, statistics.RentedBytes, statistics.WaitingRents, tenant.ChargedBytes));
        Assert.True(statistics.Waits > 0, "nobody waited: nothing was tested");
        system.Source.Heal();
        allocator.Rent<byte>(Block, Budget).Dispose();
    }

    private static void One(PixelAllocator allocator, RentScope tenant, Random random, int blocks, ref long held)
    {
        switch (random.Next(6))
        {
            case 0:
                Use(allocator.Rent<byte>(Block, blocks), blocks, ref held);
                break;
            case 1:
                if (allocator.TryRent(Block, blocks, out PixelBuffer<byte>? image))
                {
                    Use(image, blocks, ref held);
                }

                break;
            case 2:
                using (var cancellation = new CancellationTokenSource())
                {
                    Task<PixelBuffer<byte>> rent = allocator.RentAsync<byte>(Block, blocks, cancellationToken: cancellation.Token).AsTask();
                    if (random.Next(2) == 0)
                    {
                        cancellation.Cancel();
                    }

                    Use(rent.GetAwaiter().GetResult(), blocks, ref held);
                }

                break;
            case 3:
                Use(tenant.Rent<byte>(Block, blocks), blocks, ref held);
                break;
            case 4:
                Use(tenant.RentAsync<byte>(Block, blocks).AsTask().GetAwaiter().GetResult(), blocks, ref held);
                break;
            default:
                using (RentScope scope = allocator.ReserveScope(blocks * Block))
                {
                    for (int i = 0; i < blocks; i++)
                    {
                        Use(scope.Rent<byte>(Block, 1), 1, ref held);
                    }
                }

                break;
        }
    }

    private static void Use(PixelBuffer<byte> image, int blocks, ref long held)
    {
        Assert.InRange(Interlocked.Add(ref held, blocks), 1, Budget);
        Thread.Yield();
        Interlocked.Add(ref held, -blocks);
        image.Dispose();
    }
}

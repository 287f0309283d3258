using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>The budget pays for what a run really holds.</summary>
public class RunBudgetTests
{
    public static TheoryData<MemoryKind> Kinds => RunSystem.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Run_needs_exactly_the_blocks_it_holds(MemoryKind kind)
    {
        for (int blocks = 2; blocks <= 20; blocks++)
        {
            long held;
            using (var measured = new RunSystem(kind))
            using (measured.Rent(blocks))
            {
                held = measured.Statistics.RentedBytes;
                Assert.Equal(measured.IsDivisible ? blocks * RunSystem.Block : held, held);
                Assert.InRange(held, blocks * RunSystem.Block, (blocks + (blocks / 2)) * RunSystem.Block);
            }

            using RunSystem exact = Create(kind, held);
            for (int i = 0; i < 3; i++)
            {
                using PixelBuffer<byte> image = exact.Rent(blocks);
                Assert.Equal(held, exact.Statistics.RentedBytes);
                Assert.False(exact.Allocator.TryRent(1, 1, out PixelBuffer<byte>? _));
            }

            using RunSystem tight = Create(kind, held - 1);
            Assert.False(tight.Allocator.TryRent(RunSystem.Block, blocks, out PixelBuffer<byte>? none, AllocationOptions.Contiguous), $"{none} holds more than the budget");
            var exception = Assert.Throws<PixelBudgetExceededException>(() => tight.Rent(blocks));
            Assert.Equal((held, held - 1), (exception.RequestedBytes, exception.LimitBytes));
            tight.AssertBlocks(rented: 0, idle: 0);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Longer_idle_runs_do_not_cost_more(MemoryKind kind)
    {
        using RunSystem system = Create(kind, 18 * RunSystem.Block);
        system.MakeIdleRun(16);
        using PixelBuffer<byte> first = system.Rent(8);
        using PixelBuffer<byte> second = system.Rent(8);
        Assert.Equal(16 * RunSystem.Block, system.Statistics.RentedBytes);
        using PixelBuffer<byte> third = system.Rent(2);
        Assert.False(system.Allocator.TryRent(1, 1, out PixelBuffer<byte>? _));
        RunSystem.AssertDisjoint(first, second, third);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Threads_never_hold_more_than_the_budget(MemoryKind kind)
    {
        const int Budget = 24;
        using RunSystem system = Create(kind, Budget * RunSystem.Block);
        int rented = 0;
        Simultaneously.Run(6, thread =>
        {
            var random = new Random(thread);
            for (int i = 0; i < 200; i++)
            {
                int blocks = random.Next(1, 9);
                AllocationOptions options = random.Next(3) == 0 ? AllocationOptions.None : AllocationOptions.Contiguous;
                if (system.Allocator.TryRent(RunSystem.Block, blocks, out PixelBuffer<byte>? image, options))
                {
                    int now = Interlocked.Add(ref rented, blocks);
                    Assert.True(now <= Budget, $"{now} blocks are rented");
                    PixelPattern.Fill(image, (byte)thread);
                    PixelPattern.AssertEveryByte(image, (byte)thread);
                    Interlocked.Add(ref rented, -blocks);
                    image.Dispose();
                }
            }
        });
        StatisticsAssert.Balanced(system.Statistics);
        Assert.Equal(0, system.Statistics.RentedBytes);
        Assert.InRange(system.Statistics.PeakHeldBytes, 1, Budget * RunSystem.Block);
        using PixelBuffer<byte> all = system.Rent(Budget);
        Assert.False(system.Allocator.TryRent(1, 1, out PixelBuffer<byte>? _));
    }

    private static RunSystem Create(MemoryKind kind, long budget) => new(kind, configure: options => options.MaxRentedBytes = budget);
}

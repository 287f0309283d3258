using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>The system has no memory for a run, or refuses to move a block: nothing is lost.</summary>
[Trait("Category", "Long")]
public class RunFailureTests
{
    public static TheoryData<MemoryKind> Fakes => [MemoryKind.Whole, MemoryKind.Divisible];

    public static TheoryData<int> EveryMove => [.. Enumerable.Range(1, 5)];

    public static TheoryData<MemoryKind, int, int> EveryAttempt =>
    [
        .. from kind in new[] { MemoryKind.Whole, MemoryKind.Divisible } from k in Enumerable.Range(1, 5) from times in Enumerable.Range(1, 6) select (kind, k, times),
    ];

    [Theory]
    [MemberData(nameof(Fakes))]
    public void Run_that_can_not_be_had_leaves_everything_as_it_was(MemoryKind kind)
    {
        using RunSystem system = Create(kind, capacity: 16);
        using PixelBuffer<byte> held = system.Rent(3);
        PixelPoolStatistics before = system.Statistics;
        system.Source.FailAlways();
        for (int i = 0; i < 3; i++)
        {
            var exception = Assert.Throws<OutOfMemoryException>(() => system.Rent(6));
            Assert.Contains("384 KiB (1 piece", exception.Message, StringComparison.Ordinal);
            Assert.Equal(before, system.Statistics);
        }

        system.Source.Heal();
        using PixelBuffer<byte> image = system.Rent(6);
        system.AssertBlocks(rented: 9, idle: 0);
        RunSystem.AssertDisjoint(held, image);
    }

    /// <summary>Before it gives up, the request gives the idle memory back; that may be what helps.</summary>
    [Theory]
    [MemberData(nameof(Fakes))]
    public void Idle_blocks_leave_before_a_run_fails(MemoryKind kind)
    {
        using RunSystem system = Create(kind, capacity: 32);
        PixelBuffer<byte>[] between = system.MakeScattered(4);
        system.Source.FailAlways();
        Assert.Throws<OutOfMemoryException>(() => system.Rent(6));
        PixelPoolStatistics statistics = system.AssertBlocks(rented: 4, idle: 0);
        Assert.Equal(4 * RunSystem.Block, statistics.TrimmedByOutOfMemoryBytes);
        Assert.Equal(8, statistics.Rents);
        system.Source.Heal();
        system.Rent(6).Dispose();
        RunSystem.VerifyAndReturn(between);
        system.AssertBlocks(rented: 0, idle: 10);
    }

    [Theory]
    [MemberData(nameof(Fakes))]
    public void Idle_memory_of_another_allocator_makes_room(MemoryKind kind)
    {
        TestSystem memory = TestSystem.Alone(divisible: kind == MemoryKind.Divisible);
        using var system = new RunSystem(kind, capacity: 16, system: memory);
        using PixelAllocator other = memory.CreateAllocator();
        using (other.Rent<byte>(RunSystem.Block, 6, AllocationOptions.Contiguous))
        {
            other.Rent<byte>(RunSystem.Block, 3).Dispose();
        }

        long idle = other.GetStatistics().IdleBytes;
        system.Source.MaxLiveBytes = idle;
        using PixelBuffer<byte> image = system.Rent(6);
        Assert.Equal(idle, other.GetStatistics().TrimmedByOutOfMemoryBytes);
        Assert.Equal(6 * RunSystem.Block, system.Source.LiveBytes);
        Assert.Equal(0, system.Time.Waits);
        system.AssertRents(hits: 0, misses: 1, assembled: 0);
    }

    [Theory]
    [MemberData(nameof(EveryAttempt))]
    public void Whatever_allocation_fails_the_accounts_are_right(MemoryKind kind, int k, int times)
    {
        using RunSystem system = Create(kind, capacity: 20);
        PixelBuffer<byte>[] between = system.MakeScattered(3);
        system.MakeIdleRun(2);
        system.Source.FailAt(k, times);
        var images = new List<PixelBuffer<byte>>();
        foreach (int blocks in (int[])[4, 3, 2, 6])
        {
            try
            {
                images.Add(system.Rent(blocks));
            }
            catch (OutOfMemoryException)
            {
                Assert.True(times > 3);
            }
        }

        system.Source.Heal();
        system.Source.AssertNoMisuse();
        StatisticsAssert.Balanced(system.Statistics);
        RunSystem.AssertDisjoint([.. images]);
        images.ForEach(static image => image.Dispose());
        RunSystem.VerifyAndReturn(between);
        system.AssertBlocks(rented: 0, idle: (int)(system.Statistics.IdleBytes / RunSystem.Block));
        using PixelBuffer<byte> all = system.RentAnywhere(20);
        system.AssertBlocks(rented: 20, idle: 0);
    }

    [Theory]
    [MemberData(nameof(EveryMove))]
    public void Refused_move_costs_a_fresh_run(int k)
    {
        using RunSystem system = Create(MemoryKind.Divisible, capacity: 32);
        PixelBuffer<byte>[] between = system.MakeScattered(5);
        system.Source.FailMoveAt(k);
        using (PixelBuffer<byte> fresh = system.Rent(5, AllocationOptions.Clean))
        {
            Assert.Equal(0, system.AssertBlocks(rented: 10, idle: 5).ReleasedBytes);
            system.AssertRents(hits: 0, misses: 11, assembled: 0);
            PixelPattern.AssertEveryByte(fresh, 0);

            // The blocks of the attempt serve, wherever they are now.
            PixelBuffer<byte>[] blocks = [.. Enumerable.Range(0, 5).Select(_ => system.RentAnywhere(1))];
            Assert.Equal(15 * RunSystem.Block, system.AssertBlocks(rented: 15, idle: 0).AllocatedBytes);
            RunSystem.AssertDisjoint([fresh, .. blocks]);
            Array.ForEach(blocks, static block => block.Dispose());
        }

        using (PixelBuffer<byte> all = system.Rent(10))
        {
            Assert.Equal(15 * RunSystem.Block, system.AssertBlocks(rented: 15, idle: 0).AllocatedBytes);
            Assert.Equal(1, system.Statistics.AssembledRents);
            PixelPattern.Write(all);
            PixelPattern.AssertHolds(all);
        }

        RunSystem.VerifyAndReturn(between);
    }

    [Theory]
    [MemberData(nameof(EveryMove))]
    public void Refused_move_in_a_full_pool_makes_room_for_a_fresh_run(int k)
    {
        using RunSystem system = Create(MemoryKind.Divisible, capacity: 10);
        PixelBuffer<byte>[] between = system.MakeScattered(5);
        system.Source.FailMoveAt(k);
        using (PixelBuffer<byte> image = system.Rent(5))
        {
            Assert.Equal(10 * RunSystem.Block, system.Statistics.RentedBytes);
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
        }

        long unpooled = system.Statistics.UnpooledRents;
        using (PixelBuffer<byte> image = system.Rent(5))
        {
            system.AssertBlocks(rented: 10, idle: 0);
            Assert.Equal((0, unpooled), (system.Statistics.AssembledRents, system.Statistics.UnpooledRents));
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
        }

        RunSystem.VerifyAndReturn(between);
    }

    [Theory]
    [MemberData(nameof(EveryMove))]
    public void Refused_move_without_memory_for_a_fresh_run_gives_the_blocks_back(int k)
    {
        using RunSystem system = Create(MemoryKind.Divisible, capacity: 32);
        PixelBuffer<byte>[] between = system.MakeScattered(5);
        system.Source.MaxLiveBytes = system.Source.LiveBytes;
        system.Source.FailMoveAt(k);
        using (PixelBuffer<byte> image = system.Rent(5))
        {
            PixelPoolStatistics statistics = system.AssertBlocks(rented: 10, idle: 0);
            Assert.Equal(5 * RunSystem.Block, statistics.ReleasedBytes);
            Assert.Equal(5 * RunSystem.Block, statistics.TrimmedByOutOfMemoryBytes);
            Assert.Equal(0, statistics.UnpooledRents);
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
        }

        RunSystem.VerifyAndReturn(between);
    }

    [Fact]
    public void Assembly_needs_memory_for_what_is_missing_only()
    {
        using RunSystem system = Create(MemoryKind.Divisible, capacity: 32);
        PixelBuffer<byte>[] between = system.MakeScattered(5);
        system.Source.MaxLiveBytes = system.Source.LiveBytes + RunSystem.Block;
        using (system.Rent(6))
        {
            system.AssertBlocks(rented: 11, idle: 0);
            system.AssertRents(hits: 0, misses: 11, assembled: 1);
        }

        RunSystem.VerifyAndReturn(between);
    }

    [Theory]
    [MemberData(nameof(Fakes))]
    public void Failed_runs_charge_the_budget_with_nothing(MemoryKind kind)
    {
        using var system = new RunSystem(
            kind, 16, static options => options.MaxRentedBytes = 8 * RunSystem.Block, TestSystem.Alone(divisible: kind == MemoryKind.Divisible));
        for (int i = 0; i < 4; i++)
        {
            system.Source.FailAlways();
            Assert.Throws<OutOfMemoryException>(() => system.Rent(6));
            system.Source.Heal();
            using PixelBuffer<byte> image = system.Rent(8);
            Assert.False(system.Allocator.TryRent(1, 1, out PixelBuffer<byte>? _));
            image.Dispose();
            system.Allocator.Trim();
        }
    }

    private static RunSystem Create(MemoryKind kind, int capacity) =>
        new(kind, capacity, system: TestSystem.Alone(divisible: kind == MemoryKind.Divisible));
}

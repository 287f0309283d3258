using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>Runs and single blocks share one capacity, and make room for one another.</summary>
public class RunCapacityTests
{
    public static TheoryData<MemoryKind> Kinds => RunSystem.Kinds;

    public static TheoryData<MemoryKind> DivisibleKinds => RunSystem.DivisibleKinds;

    [Theory]
    [MemberData(nameof(DivisibleKinds))]
    public void Full_pool_splits_runs_for_single_blocks_and_joins_them_for_runs(MemoryKind kind)
    {
        using var system = new RunSystem(kind, capacity: 8);
        system.MakeIdleRun(8);
        using (PixelBuffer<byte> anywhere = system.RentAnywhere(5))
        using (PixelBuffer<byte> more = system.RentAnywhere(3))
        {
            system.AssertBlocks(rented: 8, idle: 0);
            Assert.Equal((5, 3), (anywhere.BlockCount, more.BlockCount));
            PixelPattern.Fill(anywhere, 1);
            PixelPattern.Fill(more, 2);
            PixelPattern.AssertEveryByte(anywhere, 1);
        }

        using PixelBuffer<byte> run = system.Rent(8);
        Assert.Equal(8 * RunSystem.Block, system.AssertBlocks(rented: 8, idle: 0).AllocatedBytes);
        system.AssertRents(hits: 3, misses: 1, assembled: 1);
    }

    [Fact]
    public void Where_nothing_can_be_split_idle_runs_leave_for_single_blocks_and_the_other_way_round()
    {
        using var system = new RunSystem(MemoryKind.Whole, capacity: 8);
        system.MakeIdleRun(8);
        system.RentAnywhere(5).Dispose();
        PixelPoolStatistics statistics = system.AssertBlocks(rented: 0, idle: 5);
        Assert.Equal((13 * RunSystem.Block, 8 * RunSystem.Block), (statistics.AllocatedBytes, statistics.ReleasedBytes));
        system.Rent(8).Dispose();
        statistics = system.AssertBlocks(rented: 0, idle: 8);
        Assert.Equal((21 * RunSystem.Block, 13 * RunSystem.Block), (statistics.AllocatedBytes, statistics.ReleasedBytes));
        system.AssertRents(hits: 0, misses: 3, assembled: 0);
        Assert.Equal(0, statistics.TrimmedBytes);
    }

    [Fact]
    public void Where_nothing_is_moved_scattered_blocks_make_room_for_a_run()
    {
        using var system = new RunSystem(MemoryKind.Divisible, capacity: 12);
        system.Source.MovesNothing = true;
        PixelBuffer<byte>[] between = system.MakeScattered(6);
        for (int i = 0; i < 3; i++)
        {
            using PixelBuffer<byte> run = system.Rent(5);
            Assert.Equal(5 * RunSystem.Block, system.Statistics.ReleasedBytes);
            Assert.Equal((0, 0), (system.Statistics.AssembledRents, system.Statistics.UnpooledRents));
            system.AssertBlocks(rented: 11, idle: 1);
        }

        RunSystem.VerifyAndReturn(between);
        system.AssertBlocks(rented: 0, idle: 12);
    }

    [Fact]
    public void Where_nothing_can_be_split_runs_of_another_length_make_room()
    {
        using var system = new RunSystem(MemoryKind.Whole, capacity: 12);
        system.MakeIdleRun(4);
        system.MakeIdleRun(6);
        using PixelBuffer<byte> image = system.Rent(8);
        Assert.InRange(system.Statistics.IdleBytes, 0, 4 * RunSystem.Block);
        system.AssertRents(hits: 0, misses: 3, assembled: 0);
        StatisticsAssert.Balanced(system.Statistics);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Idle_memory_stays_when_it_would_not_make_room_enough(bool wantsRun)
    {
        using var system = new RunSystem(MemoryKind.Whole, capacity: 8);
        using PixelBuffer<byte> held = system.RentAnywhere(5);
        (wantsRun ? system.RentAnywhere(2) : system.Rent(2)).Dispose();
        system.AssertBlocks(rented: 5, idle: 2);
        using (PixelBuffer<byte> image = wantsRun ? system.Rent(4) : system.RentAnywhere(4))
        {
            Assert.Equal(1, system.Statistics.UnpooledRents);
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
        }

        system.AssertBlocks(rented: 5, idle: 2);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void What_does_not_fit_is_unpooled_and_gone_at_once(MemoryKind kind)
    {
        using var system = new RunSystem(kind, capacity: 8);
        using PixelBuffer<byte> held = system.Rent(6);
        using (PixelBuffer<byte> image = system.Rent(4))
        {
            Assert.True(image.IsContiguous);
            system.AssertRents(hits: 0, misses: 1, assembled: 0, unpooled: 1);
            RunSystem.AssertDisjoint(held, image);
        }

        system.AssertBlocks(rented: 6, idle: 0);
        using (PixelBuffer<byte> image = system.Allocator.Rent<byte>((8 * RunSystem.Block) + 1, 1))
        {
            system.AssertRents(hits: 0, misses: 1, assembled: 0, unpooled: 2);
            Assert.Equal((14 * RunSystem.Block) + 1, system.Statistics.RentedBytes);
        }

        system.AssertBlocks(rented: 6, idle: 0);
        using PixelBuffer<byte> rest = system.Rent(2);
        system.AssertRents(hits: 0, misses: 2, assembled: 0, unpooled: 2);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Run_of_the_whole_capacity_is_pooled_whatever_the_capacity_is(MemoryKind kind)
    {
        for (int capacity = 2; capacity <= 33; capacity++)
        {
            using var system = new RunSystem(kind, capacity);
            system.MakeIdleRun(capacity);
            using PixelBuffer<byte> image = system.Rent(capacity);
            system.AssertBlocks(rented: capacity, idle: 0);
            system.AssertRents(hits: 1, misses: 1, assembled: 0);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void The_capacity_is_never_exceeded(MemoryKind kind)
    {
        const int Capacity = 13;
        using var system = new RunSystem(kind, Capacity);
        var random = new Random(1234);
        var images = new Queue<PixelBuffer<byte>>();
        for (int i = 0; i < 600; i++)
        {
            images.Enqueue(random.Next(2) == 0 ? system.Rent(random.Next(1, 9)) : system.RentAnywhere(random.Next(1, 9)));
            PixelPattern.Fill(images.Last(), (byte)i);
            while (images.Count > 3)
            {
                images.Dequeue().Dispose();
            }
        }

        while (images.TryDequeue(out PixelBuffer<byte>? image))
        {
            image.Dispose();
        }

        Assert.InRange(system.Statistics.IdleBytes, 1, Capacity * RunSystem.Block);
        StatisticsAssert.Balanced(system.Statistics);
        Assert.NotEqual(0, system.Statistics.UnpooledRents);

        // Nothing of the capacity was lost.
        long unpooled = system.Statistics.UnpooledRents;
        using PixelBuffer<byte> all = system.RentAnywhere(Capacity);
        Assert.Equal(unpooled, system.Statistics.UnpooledRents);
    }

    [Fact]
    public void Lengths_are_two_per_doubling_where_nothing_can_be_split()
    {
        using UniformUnmanagedMemoryPool pool = new TestSystem().CreatePool(capacityInBlocks: 50);
        int[] lengths = [.. Enumerable.Range(2, 48).Select(pool.Blocks.RunLength).Distinct()];
        Assert.Equal([2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 50], lengths);
        for (int blocks = 2; blocks <= 50; blocks++)
        {
            Assert.InRange(pool.Blocks.RunLength(blocks), blocks, Math.Min(50, (blocks * 3 / 2) - 1 + (blocks == 2 ? 0 : 1)));
        }

        Assert.Equal(51, pool.Blocks.RunLength(51));
        Assert.Equal(int.MaxValue, pool.Blocks.RunLength(int.MaxValue));
    }

    [Fact]
    public void Lengths_are_exact_where_runs_can_be_cut()
    {
        using UniformUnmanagedMemoryPool pool = new TestSystem(divisible: true).CreatePool(capacityInBlocks: 50);
        Assert.All(Enumerable.Range(2, 60), blocks => Assert.Equal(blocks, pool.Blocks.RunLength(blocks)));
    }
}

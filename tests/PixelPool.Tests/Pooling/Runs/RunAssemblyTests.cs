using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>Idle blocks that lie anywhere are moved side by side.</summary>
public class RunAssemblyTests
{
    public static TheoryData<MemoryKind> Kinds => RunSystem.DivisibleKinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Scattered_blocks_become_a_run_without_new_memory(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        PixelBuffer<byte>[] between = system.MakeScattered(8);
        using (PixelBuffer<byte> image = system.Rent(6))
        {
            Assert.True(image.IsContiguous);
            Assert.Equal(16 * RunSystem.Block, system.AssertBlocks(rented: 14, idle: 2).AllocatedBytes);
            system.AssertRents(hits: 1, misses: 16, assembled: 1);
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
        }

        system.AssertBlocks(rented: 8, idle: 8);

        // It stays a run.
        using (system.Rent(6))
        {
            system.AssertRents(hits: 2, misses: 16, assembled: 1);
        }

        RunSystem.VerifyAndReturn(between);
        system.AssertBlocks(rented: 0, idle: 16);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void What_is_missing_comes_from_the_system(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        PixelBuffer<byte>[] between = system.MakeScattered(3);
        using (PixelBuffer<byte> image = system.Rent(5))
        {
            Assert.Equal(8 * RunSystem.Block, system.AssertBlocks(rented: 8, idle: 0).AllocatedBytes);
            system.AssertRents(hits: 0, misses: 7, assembled: 1);
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
        }

        RunSystem.VerifyAndReturn(between);
        system.AssertBlocks(rented: 0, idle: 8);
        Assert.Equal(8 * RunSystem.Block, system.Allocator.Trim());
        system.AssertBlocks(rented: 0, idle: 0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Short_runs_become_a_long_one(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        PixelBuffer<byte>[] images = [system.Rent(2), system.Rent(3), system.Rent(4)];
        Array.ForEach(images, static image => image.Dispose());
        using PixelBuffer<byte> all = system.Rent(9);
        Assert.Equal(9 * RunSystem.Block, system.AssertBlocks(rented: 9, idle: 0).AllocatedBytes);
        system.AssertRents(hits: 1, misses: 3, assembled: 1);
        PixelPattern.Write(all);
        PixelPattern.AssertHolds(all);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Run_that_was_split_is_put_together_again_where_it_was(MemoryKind kind)
    {
        using var system = new RunSystem(kind, capacity: 8);
        system.MakeIdleRun(8);
        for (int i = 1; i <= 5; i++)
        {
            using (PixelBuffer<byte> anywhere = system.RentAnywhere(8))
            {
                Assert.Equal(8, anywhere.BlockCount);
                PixelPattern.Write(anywhere);
                PixelPattern.AssertHolds(anywhere);
            }

            using PixelBuffer<byte> run = system.Rent(8);
            Assert.Equal(8 * RunSystem.Block, system.AssertBlocks(rented: 8, idle: 0).AllocatedBytes);
            system.AssertRents(hits: 2 * i, misses: 1, assembled: i);
        }

        // Its blocks lay side by side all the time.
        Assert.Equal(0, system.Source.Moves);
    }

    [Fact]
    public void Every_block_is_moved_once()
    {
        using var system = new RunSystem(MemoryKind.Divisible);
        PixelBuffer<byte>[] between = system.MakeScattered(7);
        using (system.Rent(7))
        {
            Assert.Equal(7, system.Source.Moves);
        }

        RunSystem.VerifyAndReturn(between);
    }

    /// <summary>What was written before it was returned is there after the move: pages are moved, not only addresses.</summary>
    [Theory]
    [MemberData(nameof(Kinds))]
    public void Moved_blocks_bring_their_pages(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        PixelBuffer<byte>[] between = system.MakeScattered(5, value: 0x7B);
        using (PixelBuffer<byte> image = system.Rent(5))
        {
            PixelPattern.AssertEveryByte(image, 0x7B);
        }

        RunSystem.VerifyAndReturn(between);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Random_sizes_keep_the_accounts(MemoryKind kind)
    {
        const int Capacity = 40;
        using var system = new RunSystem(kind, Capacity);
        var random = new Random(4711);
        var rented = new List<(PixelBuffer<byte> Image, byte Value)>();
        int blocks = 0;
        for (int step = 0; step < 1500; step++)
        {
            int wanted = random.Next(1, 13);
            if (blocks + wanted > Capacity || random.Next(3) == 0)
            {
                if (rented.Count != 0)
                {
                    int i = random.Next(rented.Count);
                    PixelPattern.AssertEveryByte(rented[i].Image, rented[i].Value);
                    blocks -= rented[i].Image.Height;
                    rented[i].Image.Dispose();
                    rented.RemoveAt(i);
                }

                continue;
            }

            // Exact lengths: longer runs would be cut by a budget only.
            PixelBuffer<byte> image = random.Next(3) == 0 ? system.RentAnywhere(wanted) : system.Rent(wanted);
            PixelPattern.Fill(image, (byte)step);
            rented.Add((image, (byte)step));
            blocks += wanted;
            PixelPoolStatistics statistics = system.Statistics;
            StatisticsAssertInBounds(statistics, blocks, Capacity);
            if (random.Next(40) == 0)
            {
                system.Allocator.TrimTo(random.Next(Capacity) * RunSystem.Block);
            }
        }

        rented.ForEach(static entry => entry.Image.Dispose());
        system.AssertBlocks(rented: 0, idle: (int)(system.Statistics.IdleBytes / RunSystem.Block));
    }

    private static void StatisticsAssertInBounds(in PixelPoolStatistics statistics, int blocks, int capacity)
    {
        Infrastructure.StatisticsAssert.Balanced(statistics);
        Assert.Equal((long)blocks * RunSystem.Block, statistics.RentedBytes);
        Assert.True(statistics.UnpooledRents > 0 || statistics.RentedBytes + statistics.IdleBytes <= (long)capacity * RunSystem.Block, statistics.ToString());
    }
}

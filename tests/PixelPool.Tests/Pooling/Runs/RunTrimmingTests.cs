using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>Idle runs leave like idle blocks: in parts where that is possible.</summary>
[Trait("Category", "Long")]
public class RunTrimmingTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    public static TheoryData<MemoryKind> Kinds => RunSystem.Kinds;

    public static TheoryData<MemoryKind> DivisibleKinds => RunSystem.DivisibleKinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Trim_gives_runs_and_blocks_back(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        using PixelBuffer<byte> held = system.Rent(3);
        system.MakeIdleRun(8);
        system.MakeIdleRun(4);
        long idle = system.Statistics.IdleBytes;
        Assert.Equal(idle, system.Allocator.Trim());
        Assert.Equal(idle, system.AssertBlocks(rented: 3, idle: 0).TrimmedByRequestBytes);
        Assert.Equal(0, system.Allocator.Trim());
        PixelPattern.Write(held);
        PixelPattern.AssertHolds(held);
    }

    [Theory]
    [MemberData(nameof(DivisibleKinds))]
    public void TrimTo_cuts_runs_exactly(MemoryKind kind)
    {
        for (int left = 0; left <= 18; left++)
        {
            using var system = new RunSystem(kind);
            PixelBuffer<byte>[] images = [system.Rent(8), system.RentAnywhere(4), system.Rent(5)];
            Array.ForEach(images, static image => image.Dispose());
            int expected = Math.Min(17, left);
            Assert.Equal((17 - expected) * RunSystem.Block, system.Allocator.TrimTo((left * RunSystem.Block) + 100));
            system.AssertBlocks(rented: 0, idle: expected);

            // What is left serves, alone and beside others.
            PixelBuffer<byte>[] blocks = [.. Enumerable.Range(0, expected).Select(_ => system.RentAnywhere(1))];
            Assert.Equal(17 * RunSystem.Block, system.AssertBlocks(rented: expected, idle: 0).AllocatedBytes);
            RunSystem.AssertDisjoint(blocks);
            Array.ForEach(blocks, static block => block.Dispose());
        }
    }

    [Theory]
    [MemberData(nameof(DivisibleKinds))]
    public void What_TrimTo_leaves_of_a_run_lies_side_by_side(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        system.MakeIdleRun(8);
        Assert.Equal(5 * RunSystem.Block, system.Allocator.TrimTo(3 * RunSystem.Block));
        using (system.Rent(3))
        {
            system.AssertBlocks(rented: 3, idle: 0);
            system.AssertRents(hits: 1, misses: 1, assembled: 1);
        }

        Assert.Equal(2 * RunSystem.Block, system.Allocator.TrimTo(RunSystem.Block));
        using PixelBuffer<byte> last = system.RentAnywhere(1);
        system.AssertBlocks(rented: 1, idle: 0);
        system.AssertRents(hits: 2, misses: 1, assembled: 1);
    }

    [Fact]
    public void TrimTo_gives_whole_runs_back_where_they_can_not_be_cut()
    {
        for (int left = 0; left <= 15; left++)
        {
            using var system = new RunSystem(MemoryKind.Whole);
            PixelBuffer<byte>[] images = [system.Rent(8), system.Rent(4), system.RentAnywhere(2)];
            Array.ForEach(images, static image => image.Dispose());
            system.Allocator.TrimTo(left * RunSystem.Block);
            int idle = (int)(system.Statistics.IdleBytes / RunSystem.Block);
            Assert.InRange(idle, 0, left);
            Assert.True(left < 14 || idle == 14, $"{idle} blocks stayed of {left} that may");
            system.AssertBlocks(rented: 0, idle);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Run_that_nobody_uses_leaves_after_35_seconds(MemoryKind kind)
    {
        using RunSystem system = Create(kind, TrimPolicy.Demand);
        system.MakeIdleRun(8);
        system.Time.Advance(TimeSpan.FromSeconds(34));
        system.AssertBlocks(rented: 0, idle: 8);
        system.Time.Advance(s_second);
        Assert.Equal(8 * RunSystem.Block, system.AssertBlocks(rented: 0, idle: 0).TrimmedByTimerBytes);
        Assert.Equal(0, system.Time.ActiveTimers);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Run_that_is_used_every_second_never_leaves(MemoryKind kind)
    {
        using RunSystem system = Create(kind, TrimPolicy.Demand);
        system.MakeIdleRun(8);
        system.Time.Advance(TimeSpan.FromMinutes(10), s_second, () => system.Rent(8).Dispose());
        Assert.Equal(8 * RunSystem.Block, system.AssertBlocks(rented: 0, idle: 8).AllocatedBytes);
        system.AssertRents(hits: 600, misses: 1, assembled: 0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Of_runs_of_several_lengths_only_those_that_are_not_used_leave(MemoryKind kind)
    {
        using RunSystem system = Create(kind, TrimPolicy.Demand);
        PixelBuffer<byte>[] images = [system.Rent(4), system.Rent(12), system.Rent(2), system.RentAnywhere(3)];
        Array.ForEach(images, static image => image.Dispose());
        system.Time.Advance(TimeSpan.FromMinutes(10), s_second, () => system.Rent(4).Dispose());
        PixelPoolStatistics statistics = system.AssertBlocks(rented: 0, idle: 4);
        Assert.Equal(4, statistics.Misses);
        Assert.Equal(17 * RunSystem.Block, statistics.TrimmedByTimerBytes);
    }

    /// <summary>Images that are never rented at once share their blocks, and the rest leaves.</summary>
    [Theory]
    [MemberData(nameof(DivisibleKinds))]
    public void Runs_that_are_used_in_turn_cost_no_new_memory(MemoryKind kind)
    {
        using RunSystem system = Create(kind, TrimPolicy.Demand);
        int[] lengths = [4, 8, 3, 6];
        system.Time.Advance(TimeSpan.FromMinutes(10), s_second, () =>
        {
            foreach (int length in lengths)
            {
                system.Rent(length).Dispose();
            }
        });
        PixelPoolStatistics statistics = system.Statistics;
        Assert.InRange(statistics.AllocatedBytes, 8 * RunSystem.Block, lengths.Sum() * RunSystem.Block);
        Assert.InRange(statistics.IdleBytes, 8 * RunSystem.Block, lengths.Sum() * RunSystem.Block);
        StatisticsAssert.Balanced(statistics);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Halving_halves_a_run_or_gives_it_back(MemoryKind kind)
    {
        using RunSystem system = Create(kind, TrimPolicy.Halving(TimeSpan.FromSeconds(2), 0.5));
        system.MakeIdleRun(8);
        foreach (int left in (int[])[4, 2, 1, 0])
        {
            system.Time.Advance(TimeSpan.FromSeconds(2));
            system.AssertBlocks(rented: 0, idle: system.IsDivisible ? left : 0);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Halving_slowly_gives_every_run_back_in_the_end(MemoryKind kind)
    {
        using RunSystem system = Create(kind, TrimPolicy.Halving(TimeSpan.FromSeconds(1), 0.1));
        system.MakeIdleRun(8);
        system.MakeIdleRun(3);
        system.Time.Advance(TimeSpan.FromMinutes(10));
        system.AssertBlocks(rented: 0, idle: 0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Memory_pressure_takes_all_runs(MemoryKind kind)
    {
        using RunSystem system = Create(kind, TrimPolicy.Demand);
        PixelBuffer<byte> held = system.Rent(2);
        system.MakeIdleRun(8);
        system.MakeIdleRun(5);
        long idle = system.Statistics.IdleBytes;
        system.Pressure.High = true;
        system.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(idle, system.AssertBlocks(rented: 2, idle: 0).TrimmedByPressureBytes);
        held.Dispose();
        system.Time.Advance(TimeSpan.FromSeconds(5));
        system.AssertBlocks(rented: 0, idle: 0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Collections_trim_runs_when_timers_do_not_come(MemoryKind kind)
    {
        var memory = new TestSystem(divisible: kind == MemoryKind.Divisible) { ListensToCollections = true };
        using var system = new RunSystem(kind, configure: static options => options.TrimPolicy = TrimPolicy.Demand, system: memory);
        system.MakeIdleRun(8);
        system.Time.TimersAreStuck = true;
        system.Time.Advance(TimeSpan.FromMinutes(1), TimeSpan.FromSeconds(5), Collector.CollectAll);
        Assert.Equal(8 * RunSystem.Block, system.AssertBlocks(rented: 0, idle: 0).TrimmedByGen2Bytes);
    }

    private static RunSystem Create(MemoryKind kind, TrimPolicy policy) => new(kind, configure: options => options.TrimPolicy = policy);
}

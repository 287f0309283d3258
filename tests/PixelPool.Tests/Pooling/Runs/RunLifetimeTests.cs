using System.Runtime.CompilerServices;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>Runs that are forgotten, or outlive their allocator.</summary>
public class RunLifetimeTests
{
    public static TheoryData<MemoryKind> Kinds => RunSystem.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Leaked_run_comes_back_as_a_run(MemoryKind kind) => ChildProcess.Run(Leak, [kind.ToString()]);

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Leaked_image_in_one_piece_over_the_capacity_is_freed(MemoryKind kind) => ChildProcess.Run(LeakUnpooled, [kind.ToString()]);

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Run_outlives_its_allocator(MemoryKind kind)
    {
        var system = new RunSystem(kind);
        system.MakeIdleRun(8);
        PixelBuffer<byte> whole = system.Rent(6);
        PixelBuffer<byte> view = whole.View(0, 1, RunSystem.Block, 5);
        PixelBuffer<byte> part = system.Rent(2);
        system.Allocator.Dispose();
        system.AssertBlocks(rented: (int)(system.Statistics.RentedBytes / RunSystem.Block), idle: 0);
        RunSystem.AssertDisjoint(whole, part);
        PixelPattern.AssertEveryByte(view, 1);
        whole.Dispose();
        part.Dispose();
        system.AssertBlocks(rented: 6, idle: 0);
        view.Dispose();
        system.AssertBlocks(rented: 0, idle: 0);
        Assert.Throws<ObjectDisposedException>(() => system.Rent(2));
        system.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Dropped_allocator_frees_its_idle_runs(bool divisible)
    {
        using var system = new TestSystem(divisible: divisible);
        UseAndDrop(system);
        Collector.CollectAll();
        system.Source.AssertAllFreed();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Runs_that_are_returned_while_the_allocator_is_disposed_are_freed(MemoryKind kind)
    {
        for (int round = 0; round < 30; round++)
        {
            using var system = new RunSystem(kind);
            PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 6).Select(i => i % 2 == 0 ? system.Rent(4) : system.RentAnywhere(3))];
            Simultaneously.Run(4, thread =>
            {
                try
                {
                    switch (thread)
                    {
                        case 0:
                            Array.ForEach(images, static image => image.Dispose());
                            break;
                        case 1:
                            system.Allocator.Dispose();
                            break;
                        case 2:
                            system.Rent(7).Dispose();
                            break;
                        default:
                            system.RentAnywhere(5).Dispose();
                            break;
                    }
                }
                catch (ObjectDisposedException)
                {
                    // In time.
                }
            });
            system.AssertBlocks(rented: 0, idle: 0);
        }
    }

    private static void Leak(string[] args)
    {
        using var system = new RunSystem(Enum.Parse<MemoryKind>(args[0]));
        PixelBuffer<byte>[] between = system.MakeScattered(4);
        for (int i = 1; i <= 5; i++)
        {
            LeakOne(system);
            Collector.CollectAll();
            PixelPoolStatistics statistics = system.Statistics;
            Assert.Equal((i, 4L * i * RunSystem.Block), (statistics.LeakedCount, statistics.LeakedBytes));
            Assert.Equal(system.IsDivisible ? (i, 8) : (i - 1, 9), (statistics.Hits, statistics.Misses));
            Assert.Equal(system.IsDivisible ? 1 : 0, statistics.AssembledRents);
            system.AssertBlocks(rented: 4, idle: system.IsDivisible ? 4 : 8);
        }

        RunSystem.VerifyAndReturn(between);
    }

    private static void LeakUnpooled(string[] args)
    {
        using var system = new RunSystem(Enum.Parse<MemoryKind>(args[0]), capacity: 3);
        LeakOne(system);
        Collector.CollectAll();
        PixelPoolStatistics statistics = system.AssertBlocks(rented: 0, idle: 0);
        Assert.Equal((1, 1, 4 * RunSystem.Block), (statistics.UnpooledRents, statistics.LeakedCount, statistics.LeakedBytes));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LeakOne(RunSystem system) => PixelPattern.Fill(system.Rent(4), 0xFF);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void UseAndDrop(TestSystem system)
    {
        PixelAllocator allocator = system.CreateAllocator();
        using (allocator.Rent<byte>(RunSystem.Block, 6, AllocationOptions.Contiguous))
        {
            allocator.Rent<byte>(RunSystem.Block, 4, AllocationOptions.Contiguous).Dispose();
            allocator.Rent<byte>(RunSystem.Block, 3, AllocationOptions.Contiguous).Dispose();
        }

        Assert.NotEqual(0, system.Source.LiveBytes);
    }
}

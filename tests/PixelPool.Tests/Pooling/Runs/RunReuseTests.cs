namespace PixelPool.Tests.Pooling.Runs;

/// <summary>Blocks side by side that are idle: served as they are, or cut.</summary>
public class RunReuseTests
{
    public static TheoryData<MemoryKind> Kinds => RunSystem.Kinds;

    public static TheoryData<MemoryKind> DivisibleKinds => RunSystem.DivisibleKinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Idle_run_serves_the_next_image_of_its_size(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        nint address;
        using (PixelBuffer<byte> first = system.Rent(4))
        {
            address = RunSystem.AddressOf(first);
            system.AssertBlocks(rented: 4, idle: 0);
        }

        for (int i = 1; i <= 10; i++)
        {
            using PixelBuffer<byte> image = system.Rent(4);
            Assert.Equal(address, RunSystem.AddressOf(image));
            system.AssertBlocks(rented: 4, idle: 0);
            system.AssertRents(hits: i, misses: 1, assembled: 0);
        }

        system.AssertBlocks(rented: 0, idle: 4);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Run_that_is_longer_is_cut_where_memory_is_divisible(MemoryKind kind)
    {
        using var system = new RunSystem(kind, capacity: 9);
        system.MakeIdleRun(9);
        using (system.Rent(8))
        {
            system.AssertBlocks(rented: 8, idle: system.IsDivisible ? 1 : 0);
        }

        using PixelBuffer<byte> again = system.Rent(9);
        system.AssertBlocks(rented: 9, idle: 0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_a_budget_the_run_has_exactly_the_length_that_was_paid(MemoryKind kind)
    {
        using var system = new RunSystem(kind, capacity: 9, static options => options.MaxRentedBytes = 9 * RunSystem.Block);
        system.MakeIdleRun(9);
        using PixelBuffer<byte> image = system.Rent(8);
        system.AssertBlocks(rented: 8, idle: system.IsDivisible ? 1 : 0);
        using PixelBuffer<byte> last = system.RentAnywhere(1);
        Assert.False(system.Allocator.TryRent(1, 1, out PixelBuffer<byte>? _));
        RunSystem.AssertDisjoint(image, last);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_the_budget_of_a_scope_alone_it_has_too(MemoryKind kind)
    {
        using var system = new RunSystem(kind, capacity: 9);
        system.MakeIdleRun(9);
        using RentScope scope = system.Allocator.CreateScope(9 * RunSystem.Block);
        using (scope.Rent<byte>(RunSystem.Block, 8, AllocationOptions.Contiguous))
        {
            Assert.Equal((8L * RunSystem.Block, 8L * RunSystem.Block), (scope.ChargedBytes, system.Statistics.RentedBytes));
        }

        Assert.Equal(0, scope.ChargedBytes);
    }

    [Theory]
    [MemberData(nameof(DivisibleKinds))]
    public void Longer_run_is_cut_and_both_parts_serve(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        system.MakeIdleRun(10);
        PixelBuffer<byte> front = system.Rent(4);
        system.AssertBlocks(rented: 4, idle: 6);
        PixelBuffer<byte> back = system.Rent(6);
        PixelPoolStatistics statistics = system.AssertBlocks(rented: 10, idle: 0);
        Assert.Equal(10 * RunSystem.Block, statistics.AllocatedBytes);
        system.AssertRents(hits: 2, misses: 1, assembled: 2);
        RunSystem.AssertDisjoint(front, back);
        front.Dispose();
        back.Dispose();
        using PixelBuffer<byte> whole = system.Rent(10);
        Assert.Equal(10 * RunSystem.Block, system.AssertBlocks(rented: 10, idle: 0).AllocatedBytes);
        system.AssertRents(hits: 3, misses: 1, assembled: 3);
    }

    [Theory]
    [MemberData(nameof(DivisibleKinds))]
    public void One_block_that_is_left_of_a_run_is_a_block(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        system.MakeIdleRun(3);
        using PixelBuffer<byte> front = system.Rent(2);
        system.AssertBlocks(rented: 2, idle: 1);
        using PixelBuffer<byte> block = system.RentAnywhere(1);
        system.AssertBlocks(rented: 3, idle: 0);
        system.AssertRents(hits: 2, misses: 1, assembled: 1);
        RunSystem.AssertDisjoint(front, block);
    }

    [Fact]
    public void Longer_run_of_memory_that_is_not_divisible_is_left_alone()
    {
        using var system = new RunSystem(MemoryKind.Whole);
        system.MakeIdleRun(12);
        using PixelBuffer<byte> image = system.Rent(8);
        system.AssertBlocks(rented: 8, idle: 12);
        system.AssertRents(hits: 0, misses: 2, assembled: 0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Runs_of_many_sizes_are_each_found_again(MemoryKind kind)
    {
        int[] sizes = [2, 3, 4, 6, 8, 12, 16];
        using var system = new RunSystem(kind);
        PixelBuffer<byte>[] images = [.. sizes.Select(size => system.Rent(size))];
        RunSystem.AssertDisjoint(images);
        Array.ForEach(images, static image => image.Dispose());
        system.AssertBlocks(rented: 0, idle: sizes.Sum());
        foreach (int size in sizes)
        {
            system.Rent(size).Dispose();
        }

        system.AssertRents(hits: sizes.Length, misses: sizes.Length, assembled: 0);
        system.AssertBlocks(rented: 0, idle: sizes.Sum());
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void More_idle_runs_than_are_searched_serve_all_the_same(MemoryKind kind)
    {
        using var system = new RunSystem(kind, capacity: 160);
        PixelBuffer<byte>[] old = [.. Enumerable.Range(0, 3).Select(_ => system.Rent(3))];
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 70).Select(_ => system.Rent(2))];
        Array.ForEach(old, static image => image.Dispose());
        Array.ForEach(images, static image => image.Dispose());
        system.AssertBlocks(rented: 0, idle: 149);
        PixelBuffer<byte>[] again = [.. Enumerable.Range(0, 3).Select(_ => system.Rent(3))];
        RunSystem.AssertDisjoint(again);
        Assert.Equal(0, system.Statistics.UnpooledRents);
        Assert.InRange(system.Statistics.IdleBytes + system.Statistics.RentedBytes, 149 * RunSystem.Block, 160 * RunSystem.Block);
        Array.ForEach(again, static image => image.Dispose());
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Runs_that_other_threads_returned_serve(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        Simultaneously.Run(4, _ => system.Rent(4).Dispose());
        PixelPoolStatistics before = system.Statistics;
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, (int)(before.IdleBytes / (4 * RunSystem.Block))).Select(_ => system.Rent(4))];
        RunSystem.AssertDisjoint(images);
        Assert.Equal((before.Misses, before.Hits + images.Length), (system.Statistics.Misses, system.Statistics.Hits));
        Array.ForEach(images, static image => image.Dispose());
    }
}

using System.Runtime.InteropServices;
using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Wrong frees when they are checked, objects that do not fit, no room, and use after disposal.</summary>
public sealed unsafe class MisuseTests : IDisposable
{
    private static readonly int s_perBlock = new PieceLayout(sizeof(Sized.Of32), TestSystem.BlockBytes).Capacity;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void A_wrong_free_is_found_and_changes_nothing()
    {
        CheckWrongFrees<Sized.Of1>();
        CheckWrongFrees<Sized.Of12>();
        CheckWrongFrees<Sized.Of32>();
        CheckWrongFrees<Sized.Of1000>();
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Of_many_threads_that_free_one_object_one_succeeds()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options(), checksFrees: true);
        for (int round = 0; round < 20; round++)
        {
            nint item = (nint)allocator.Allocate();
            int found = 0;
            Simultaneously.Run(4, _ =>
            {
                try
                {
                    allocator.Free((Sized.Of32*)item);
                }
                catch (InvalidMemoryOperationException)
                {
                    Interlocked.Increment(ref found);
                }
            });
            Assert.Equal(3, found);
        }

        Assert.Equal(0, allocator.Count);
    }

    [Fact]
    public void An_object_that_does_not_fit_into_a_block()
    {
        InvalidMemoryOperationException error =
            Assert.Throws<InvalidMemoryOperationException>(() => new FixedBlockAllocator<Sized.Of65536>(_system.Options()));
        Assert.Equal("An object of 64 KiB does not fit into a block of 64 KiB, of which 256 bytes are its header.", error.Message);
        using var allocator = new FixedBlockAllocator<Sized.Of65536>(_system.Options(configure: options => options.BlockBytes = 128 << 10));
        Assert.True(allocator.Allocate() != allocator.Allocate());
        Assert.Equal(2, allocator.Count);
    }

    [Fact]
    public void An_object_that_is_as_long_as_a_type_can_be() => Assert.Equal(
        "An object of 2 GiB does not fit into a block of 64 KiB, of which 256 bytes are its header.",
        Assert.Throws<InvalidMemoryOperationException>(() => new FixedBlockAllocator<Longest>(_system.Options())).Message);

    [Fact]
    public void A_full_pool_refuses_and_everything_stays()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options(capacityInBlocks: 2));
        nint[] items = FixedBlockAllocatorTests.Allocate(allocator, 2 * s_perBlock);
        InvalidMemoryOperationException error = Assert.Throws<InvalidMemoryOperationException>(() => _ = (nint)allocator.Allocate());
        Assert.Equal("No room for another block of 64 KiB: the pool may hold 128 KiB (MaxPooledBytes).", error.Message);
        Assert.Equal(2 * s_perBlock, allocator.Count);
        allocator.Free((Sized.Of32*)items[5]);
        Assert.Equal(items[5], (nint)allocator.Allocate());
    }

    [Fact]
    public void The_budget_pays_for_blocks()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options(configure: options => options.MaxRentedBytes = (2 * TestSystem.BlockBytes) - 1));
        FixedBlockAllocatorTests.Allocate(allocator, s_perBlock);
        for (int i = 0; i < 3; i++)
        {
            PixelBudgetExceededException error = Assert.Throws<PixelBudgetExceededException>(() => _ = (nint)allocator.Allocate());
            Assert.Equal(TestSystem.BlockBytes, error.RequestedBytes);
            allocator.Clear();
            FixedBlockAllocatorTests.Allocate(allocator, s_perBlock);
        }

        Assert.Equal(s_perBlock, allocator.Count);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(((2 * TestSystem.BlockBytes) - 1, TestSystem.BlockBytes, 3), (statistics.BudgetBytes, statistics.ChargedBytes, statistics.BudgetRefusals));
        allocator.Dispose();
        _system.Source.AssertAllFreed();
    }

    /// <summary>Of an allocator without options, too.</summary>
    [Fact]
    [Trait("Category", "Long")]
    public void The_budget_of_the_process_pays_for_blocks() => ChildProcess.Run(FillBudget, "PIXELPOOL_MAX_RENTED_BYTES=6M");

    private static void FillBudget()
    {
        using var allocator = new FixedBlockAllocator<Sized.Of32>();
        PixelBudgetExceededException error = Assert.Throws<PixelBudgetExceededException>(() => FixedBlockAllocatorTests.Allocate(allocator, (8 << 20) / 32));
        Assert.Equal((6L << 20, 4L << 20), (error.LimitBytes, error.RequestedBytes));
        Assert.Equal((6L << 20, 4L << 20), (allocator.GetStatistics().BudgetBytes, allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public void No_memory_in_the_system()
    {
        using TestSystem alone = TestSystem.Alone();
        using var allocator = new FixedBlockAllocator<Sized.Of32>(alone.Options(configure: options => options.MaxRentedBytes = 10 * TestSystem.BlockBytes));
        alone.Source.MaxLivePieces = 1;
        FixedBlockAllocatorTests.Allocate(allocator, s_perBlock);
        Assert.Throws<OutOfMemoryException>(() => _ = (nint)allocator.Allocate());
        alone.Source.MaxLivePieces = 10;
        FixedBlockAllocatorTests.Allocate(allocator, 9 * s_perBlock);
        Assert.Equal(10 * s_perBlock, allocator.Count);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void A_disposed_allocator_is_of_no_use()
    {
        var allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        Sized.Of32* item = allocator.Allocate();
        allocator.Dispose();
        _system.Source.AssertAllFreed();
        Assert.Throws<ObjectDisposedException>(() => _ = (nint)allocator.Allocate());
        Assert.Throws<ObjectDisposedException>(() => allocator.Free(item));
        Assert.Throws<ObjectDisposedException>(allocator.Clear);
        Assert.Throws<ObjectDisposedException>(() => allocator.Trim());
        Assert.Throws<ObjectDisposedException>(() => allocator.Count);
        Assert.Equal("FixedBlockAllocator<Sized.Of32>", Assert.Throws<ObjectDisposedException>(() => allocator.Free(item)).ObjectName);
        allocator.Dispose();
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.EndsWith("disposed", allocator.ToString(), StringComparison.Ordinal);

        // The next one may take its place in the tables of threads.
        using var next = new FixedBlockAllocator<Sized.Of32>(_system.Options());
        Assert.Throws<ObjectDisposedException>(() => _ = (nint)allocator.Allocate());
        next.Allocate();
        Assert.Throws<ObjectDisposedException>(() => _ = (nint)allocator.Allocate());
        Assert.Equal(1, next.Count);
    }

    [Fact]
    public void A_pool_that_was_disposed_gives_no_more_blocks_and_takes_them_back()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        using var allocator = new FixedBlockAllocator<Sized.Of32>(pool, checksFrees: true);
        FixedBlockAllocatorTests.Allocate(allocator, s_perBlock);
        pool.Dispose();
        Assert.Throws<ObjectDisposedException>(() => _ = (nint)allocator.Allocate());
        allocator.Clear();
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void A_pool_or_an_allocator_that_is_null()
    {
        Assert.Equal("pool", Assert.Throws<ArgumentNullException>(static () => new FixedBlockAllocator<long>(pool: null!)).ParamName);
        Assert.Equal("allocator", Assert.Throws<ArgumentNullException>(static () => new FixedBlockAllocator<long>(allocator: null!)).ParamName);
    }

    [Fact]
    public void Options_are_validated() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new FixedBlockAllocator<int>(new PixelAllocatorOptions { BlockBytes = 5 }));

    [Fact]
    public void Null_means_the_default_options_and_neither_a_pool_nor_an_allocator()
    {
        using var allocator = new FixedBlockAllocator<long>(null, true);
        long* item = allocator.Allocate();
        allocator.Free(item);
        Assert.Throws<InvalidMemoryOperationException>(() => allocator.Free(item));
        using var other = new FixedBlockAllocator<long>(checksFrees: true);
        Assert.Throws<InvalidMemoryOperationException>(() => other.Free(item));
        new FixedBlockAllocator<long>(null).Dispose();
    }

    private void CheckWrongFrees<T>()
        where T : unmanaged
    {
        using var allocator = new FixedBlockAllocator<T>(_system.Options(), checksFrees: true);
        using var other = new FixedBlockAllocator<T>(_system.Options(), checksFrees: true);
        int perBlock = new PieceLayout(sizeof(T), TestSystem.BlockBytes).Capacity;
        nint[] items = FixedBlockAllocatorTests.Allocate(allocator, perBlock + 2);
        nint block = items.Min() & -4096;
        long local = 0;
        var foreign = new List<nint> { (nint)other.Allocate(), (nint)(&local), 8, -8, block, block - 1, block + TestSystem.BlockBytes, items[0] + 1, items[^1] + IntPtr.Size };
        allocator.Free((T*)items[0]);
        allocator.Free((T*)items[^2]);
        foreign.AddRange([items[0], items[^2]]);
        foreach (nint address in foreign)
        {
            if (!items.Except([items[0], items[^2]]).Contains(address))
            {
                Assert.Throws<InvalidMemoryOperationException>(() => allocator.Free((T*)address));
            }
        }

        Assert.Equal((perBlock, 1), (allocator.Count, other.Count));
        Assert.Equal(items[^2], (nint)allocator.Allocate());
        allocator.Clear();
        Assert.Throws<InvalidMemoryOperationException>(() => allocator.Free((T*)items[1]));
        Assert.Equal(0, allocator.Count);
    }

    [StructLayout(LayoutKind.Sequential, Size = int.MaxValue)]
    private struct Longest
    {
        public byte First;
    }
}

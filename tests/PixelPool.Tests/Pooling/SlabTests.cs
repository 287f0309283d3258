using PixelPool.Native;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tiers;
using PixelPool.Trimming;

namespace PixelPool.Tests.Pooling;

public sealed class SlabTests : IDisposable
{
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(0, 64)]
    [InlineData(1, 64)]
    [InlineData(64, 64)]
    [InlineData(65, 128)]
    [InlineData(128, 128)]
    [InlineData(129, 192)]
    [InlineData(193, 256)]
    [InlineData(257, 384)]
    [InlineData(4096, 4096)]
    [InlineData(4097, 6144)]
    [InlineData(6145, 8192)]
    [InlineData(8192, 8192)]
    [InlineData(8193, 12288)]
    [InlineData(12289, 16384)]
    [InlineData(16384, 16384)]
    [InlineData(24577, 32768)]
    [InlineData(32768, 32768)]
    public void Size_class_is_the_smallest_that_fits(long bytes, int pieceBytes)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        Assert.Equal(pieceBytes, new SlabTier(pool.Blocks).Find(bytes).PieceBytes);
    }

    [Fact]
    public void More_than_half_a_block_is_no_slab()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.SmallBufferThresholdBytes = TestSystem.BlockBytes;
        });
        using PixelLease<byte> half = allocator.Lease<byte>(TestSystem.BlockBytes / 2, 1);
        Assert.Equal((1, 0), (allocator.GetStatistics().SmallRents, allocator.GetStatistics().Misses));
        using PixelLease<byte> more = allocator.Lease<byte>((TestSystem.BlockBytes / 2) + 1, 1);
        Assert.Equal((1, 1), (allocator.GetStatistics().SmallRents, allocator.GetStatistics().Misses));
        Assert.Equal(TestSystem.BlockBytes, allocator.GetHeldBytes<byte>((TestSystem.BlockBytes / 2) + 1, 1));
    }

    [Fact]
    public void A_piece_is_at_most_half_as_large_again_as_what_it_holds()
    {
        using var pool = new UniformUnmanagedMemoryPool();
        var tier = new SlabTier(pool.Blocks);
        for (long bytes = 129; bytes <= pool.BlockBytes / 2; bytes++)
        {
            int piece = tier.Find(bytes).PieceBytes;

            // A third of a block is rounded down to a cache line.
            if (piece < bytes || 2 * piece > 3 * (bytes + SlabTier.LeastAlignmentBytes) || piece % SlabTier.LeastAlignmentBytes != 0)
            {
                Assert.Fail($"{bytes} bytes get a piece of {piece}");
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(64)]
    [InlineData(128)]
    [InlineData(1024)]
    [InlineData(4096)]
    public void Every_piece_is_a_multiple_of_the_alignment_of_rows(int alignment)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        var tier = new SlabTier(pool.Blocks, rowAlignmentBytes: alignment);
        for (long bytes = 0; bytes <= pool.BlockBytes / 2; bytes++)
        {
            int piece = tier.Find(bytes).PieceBytes;
            if (piece < bytes || piece % alignment != 0 || piece % SlabTier.LeastAlignmentBytes != 0)
            {
                Assert.Fail($"{bytes} bytes get a piece of {piece}");
            }
        }

        Assert.Equal(pool.BlockBytes / 2, tier.Find(pool.BlockBytes / 2).PieceBytes);
    }

    [Fact]
    public void Pieces_are_aligned_do_not_overlap_and_lie_in_blocks_of_the_pool()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        var depot = new SlabTier(pool.Blocks);
        var pieces = new List<(nint Address, int Bytes)>();
        foreach (long bytes in new long[] { 4096, 8192, 12288, 16384 })
        {
            SlabSizeClass sizeClass = depot.Find(bytes);
            for (int i = 0; i < 20; i++)
            {
                Assert.True(sizeClass.TryTake(out Slab slab, out nint address));
                Assert.InRange(address - slab.Block, 0, pool.BlockBytes - sizeClass.PieceBytes);
                Assert.True(_system.Source.IsLive(address));
                pieces.Add((address, sizeClass.PieceBytes));
            }
        }

        pieces.Sort();
        Assert.All(pieces, static piece => Assert.Equal(0, piece.Address % BlockSource.AlignmentBytes));
        Assert.All(pieces.Zip(pieces.Skip(1)), static pair => Assert.True(pair.First.Address + pair.First.Bytes <= pair.Second.Address));
    }

    [Theory]
    [InlineData(4096, 16)]
    [InlineData(8192, 8)]
    [InlineData(12288, 5)]
    [InlineData(16384, 4)]
    public void Block_goes_back_to_the_pool_with_the_last_of_its_pieces(int pieceBytes, int pieces)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(pieceBytes);
        for (int round = 0; round < 3; round++)
        {
            var taken = new List<(Slab Slab, nint Address)>();
            for (int i = 0; i < pieces; i++)
            {
                Assert.True(sizeClass.TryTake(out Slab slab, out nint address));
                taken.Add((slab, address));
                StatisticsAssert.Cut(pool, inUse: 1, empty: 0);
            }

            Assert.Equal(pieces, taken.Select(static piece => piece.Address).Distinct().Count());
            foreach ((Slab slab, nint address) in taken)
            {
                StatisticsAssert.Cut(pool, inUse: 1, empty: 0);
                slab.Return(address);
            }

            StatisticsAssert.Cut(pool, inUse: 0, empty: 1);
        }

        Assert.Equal(1, _system.Source.Allocations);
        Assert.Equal(TestSystem.BlockBytes, pool.Trim());
    }

    [Fact]
    public void One_piece_more_than_a_block_holds_takes_a_second_block()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(16384);
        (Slab Slab, nint Address)[] pieces = [.. Enumerable.Range(0, 5).Select(_ => Take(sizeClass))];
        StatisticsAssert.Cut(pool, inUse: 2, empty: 0);
        pieces[4].Slab.Return(pieces[4].Address);
        StatisticsAssert.Cut(pool, inUse: 1, empty: 1);
        pieces[2].Slab.Return(pieces[2].Address);
        Assert.Equal(pieces[2].Address, Take(sizeClass).Address);
        StatisticsAssert.Cut(pool, inUse: 1, empty: 1);
    }

    [Fact]
    public void Full_pool_gives_no_piece_and_takes_nothing()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 1);
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(16384);
        (Slab Slab, nint Address)[] pieces = [.. Enumerable.Range(0, 4).Select(_ => Take(sizeClass))];
        Assert.False(sizeClass.TryTake(out _, out _));
        StatisticsAssert.Cut(pool, inUse: 1, empty: 0);
    }

    [Fact]
    public void Pieces_of_the_largest_block_are_distinct()
    {
        // 1 GiB has 262,144 pieces, more than 16 bits can count. Address space only: nothing is touched.
        Assert.SkipWhen(IntPtr.Size == 4, "A 32-bit process has no such block.");
        using var pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions { BlockBytes = 1 << 30, MaxPooledBytes = 1 << 30, UseHugePages = false });
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(4096);
        (Slab Slab, nint Address)[] pieces = new (Slab, nint)[1 << 18];
        var seen = new HashSet<nint>();
        for (int i = 0; i < pieces.Length; i++)
        {
            pieces[i] = Take(sizeClass);
            Assert.True(seen.Add(pieces[i].Address), $"piece {i} was handed out before");
        }

        Assert.False(sizeClass.TryTake(out _, out _));
        foreach ((Slab slab, nint address) in pieces)
        {
            slab.Return(address);
        }

        StatisticsAssert.Cut(pool, inUse: 0, empty: 1);
    }

    [Fact]
    public void Threads_get_distinct_pieces_and_leave_no_block_behind()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(16384);
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, worker =>
        {
            byte cookie = (byte)(worker + 1);
            for (int i = 0; i < 3_000; i++)
            {
                (Slab slab, nint address) = Take(sizeClass);
                Span<byte> bytes = pool.Bytes(address)[..64];
                bytes.Fill(cookie);
                (Slab otherSlab, nint other) = Take(sizeClass);
                Assert.Equal(-1, bytes.IndexOfAnyExcept(cookie));
                slab.Return(address);
                otherSlab.Return(other);
            }
        });
        StatisticsAssert.Balanced(pool.GetStatistics());
        pool.Trim();
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void A_block_that_cannot_be_had_costs_one_table()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 1);
        var tier = new SlabTier(pool.Blocks);
        (Slab other, nint inUse) = Take(tier.Find(16384));
        SlabSizeClass sizeClass = tier.Find(64);
        Assert.False(sizeClass.TryTake(out _, out _));
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.False(sizeClass.TryTake(out _, out _));
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        other.Return(inUse);
    }

    [Fact]
    public void Table_of_a_slab_that_became_empty_serves_the_next_block()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(64);
        (Slab slab, nint address) = Take(sizeClass);
        slab.Return(address);
        (Slab next, address) = Take(sizeClass);
        Assert.Same(slab, next);
        next.Return(address);
    }

    /// <summary>A thread that goes on on another processor goes on with the block that it has cut; others there have one of their own. (In the build for netstandard2.0 each thread does.)</summary>
    [Fact]
    [Trait("Library", "Net10")]
    public void A_thread_cuts_one_block_whatever_processor_it_is_on()
    {
        Assert.SkipUnless(ProcessorBinding.IsSupported, "no two processors to move between");
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(64);
        var blocks = new nint[3];
        using var hasMoved = new ManualResetEventSlim();

        // Both live: a thread that comes later might get the number of one that has ended.
        Simultaneously.Run(2, worker =>
        {
            if (worker == 0)
            {
                for (int i = 0; i < 2; i++)
                {
                    Assert.True(ProcessorBinding.TryBind(i));
                    blocks[i] = Take(sizeClass).Slab.Block;
                }

                hasMoved.Set();
                return;
            }

            Assert.True(hasMoved.Wait(TimeSpan.FromMinutes(1)));
            Assert.True(ProcessorBinding.TryBind(0));
            blocks[2] = Take(sizeClass).Slab.Block;
        });
        Assert.Equal(blocks[0], blocks[1]);
        Assert.NotEqual(blocks[0], blocks[2]);
    }

    [Fact]
    public void Free_pages_go_after_the_periods_in_which_nothing_came_back()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(64);
        (Slab slab, nint first) = Take(sizeClass);
        (Slab _, nint second) = Take(sizeClass);
        slab.Return(second);
        for (int i = 0; i < IdleHistory.Periods; i++)
        {
            Assert.False(slab.Owner.EndPeriod());
        }

        Assert.True(slab.Owner.EndPeriod());
        slab.Return(first);
    }

    private static (Slab Slab, nint Address) Take(SlabSizeClass sizeClass)
    {
        Assert.True(sizeClass.TryTake(out Slab slab, out nint address));
        return (slab, address);
    }
}

using PixelPool.Native;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tiers;

namespace PixelPool.Tests.Pooling;

/// <summary>A trim gives back pages of slabs in which nothing is in use, although their blocks are in use.</summary>
public sealed class DiscardedPagesTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Pieces = 8;
    private const int Piece = Block / Pieces;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Pages_of_free_pieces_go_and_those_of_others_stay()
    {
        using PixelAllocator allocator = Create();
        PixelLease<byte>[] images = Rent(allocator, Pieces);
        foreach (int i in (int[])[1, 2, 5])
        {
            images[i].Dispose();
        }

        Assert.Equal(0, allocator.Trim());
        Assert.Equal(3 * Piece, _system.Source.Discarded.Sum(static range => range.Bytes));
        Assert.Equal(2, _system.Source.Discarded.Count);
        AssertMarked(images, 0, 3, 4, 6, 7);
        Assert.Equal(5 * Piece, allocator.GetStatistics().RentedBytes);

        // And are handed out again.
        PixelLease<byte>[] again = Rent(allocator, 3);
        Assert.Equal(Block, _system.Source.LiveBytes);
        AssertMarked(images, 0, 3, 4, 6, 7);
        Array.ForEach(again, static image => image.Dispose());
        DisposeAll(images, 0, 3, 4, 6, 7);
        Assert.Equal(Block, allocator.Trim());
        Assert.Equal(0, _system.Source.LiveBytes);
    }

    [Fact]
    public void What_was_never_handed_out_goes_too()
    {
        using PixelAllocator allocator = Create();
        using PixelLease<byte> image = allocator.Lease<byte>(Piece, 1);
        allocator.Trim();
        Assert.Equal(Block - Piece, Assert.Single(_system.Source.Discarded).Bytes);
    }

    /// <param name="bytes">Of the pieces. More than 64 of the smaller ones fill a block; the last two do not fill it.</param>
    [Theory]
    [InlineData(16384)]
    [InlineData(4096)]
    [InlineData(1024)]
    [InlineData(512)]
    [InlineData(12288)]
    [InlineData(768)]
    public void Of_several_blocks_every_page_goes_that_no_piece_in_use_reaches_into_and_no_other(int bytes)
    {
        int seed = Environment.TickCount;
        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        var random = new Random(seed);
        int page = Environment.SystemPageSize;
        using PixelAllocator allocator = Create();
        PixelLease<byte>[] images = Rent(allocator, 3 * (Block / bytes), bytes);
        HashSet<nint> blocks = [.. images.Select(image => _system.Source.StartOf(image.DangerousGetAddress()))];
        Assert.Equal(3, blocks.Count);

        // Long runs of free pieces, also at both ends of a block; of each block a piece stays.
        int[] kept = [.. Enumerable.Range(0, images.Length).Where(i => i % (Block / bytes) == 1 || random.Next(bytes < page ? 12 : 2) == 0)];
        int[] returned = [.. Enumerable.Range(0, images.Length).Except(kept).OrderBy(_ => random.Next())];
        HashSet<nint> expected = [.. from block in blocks from offset in Enumerable.Range(0, Block / page) select block + (offset * page)];
        foreach (nint address in kept.Select(i => images[i].DangerousGetAddress()))
        {
            expected.RemoveWhere(start => start < address + bytes && address < start + page);
        }

        DisposeAll(images, returned);
        allocator.Trim();
        nint[] pages = [.. from range in _system.Source.Discarded from offset in Enumerable.Range(0, (int)range.Bytes / page) select range.Address + (offset * page)];
        Assert.Equal(expected.Order(), pages.Order());
        AssertMarked(images, kept);

        // All that is free serves again, before another block.
        PixelLease<byte>[] again = Rent(allocator, returned.Length, bytes);
        Assert.Equal(3 * Block, _system.Source.LiveBytes);
        AssertMarked(images, kept);
        Array.ForEach(again, static image => image.Dispose());
        DisposeAll(images, kept);
    }

    [Fact]
    public void Pages_that_a_piece_reaches_into_stay()
    {
        using PixelAllocator allocator = Create();
        PixelLease<byte>[] images = Rent(allocator, Block / 1024, 1024);
        for (int i = 0; i < images.Length; i++)
        {
            if (i % 8 != 1)
            {
                images[i].Dispose();
            }
        }

        // Of two pages one has a piece in it. The second time there is nothing to do, as no piece came back since.
        allocator.Trim();
        allocator.Trim();
        Assert.Equal(Environment.SystemPageSize == 4096 ? Block / 2 : 0, _system.Source.Discarded.Sum(static range => range.Bytes));
        for (int i = 1; i < images.Length; i += 8)
        {
            Assert.Equal((byte)i, images[i][1023, 0]);
            images[i].Dispose();
        }
    }

    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    public void What_is_left_behind_the_last_piece_goes_too(int inUse)
    {
        const int Length = Block / 16 * 3;
        using PixelAllocator allocator = Create();
        PixelLease<byte>[] images = Rent(allocator, inUse, Length);
        allocator.Trim();
        (nint address, nint bytes) = Assert.Single(_system.Source.Discarded);
        Assert.Equal(Block - (inUse * Length), bytes);
        using (PinnedPixels pin = images[0].Pin())
        {
            Assert.Equal(pin.Address + (inUse * Length), address);
        }

        // The block is full or not as it was before.
        PixelLease<byte>[] others = Rent(allocator, 2, Length);
        Assert.Equal(2 * Block, _system.Source.LiveBytes);
        Assert.Equal((byte)(inUse - 1), images[inUse - 1][Length - 1, 0]);
        DisposeAll(images, [.. Enumerable.Range(0, inUse)]);
        DisposeAll(others, 0, 1);
        Assert.Equal(2 * Block, allocator.Trim());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public void Single_pieces_of_a_page_go_too(int neverTaken)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        int page = Environment.SystemPageSize;
        Assert.SkipUnless(Block / page >= 16, "too few pages");
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(page);
        var pieces = new nint[(Block / page) - neverTaken];
        Slab slab = null!;
        for (int i = 0; i < pieces.Length; i++)
        {
            Assert.True(sizeClass.TryTake(out slab, out pieces[i]));
        }

        slab.Return(pieces[1]);
        Assert.Equal(0, pool.Trim());
        Assert.Equal((1 + neverTaken) * page, _system.Source.Discarded.Sum(static range => range.Bytes));
        Assert.Contains(_system.Source.Discarded, range => range.Address == pieces[1] && range.Bytes == page);

        // It is free, and all others are in use.
        for (int i = 0; i < 1 + neverTaken; i++)
        {
            Assert.True(sizeClass.TryTake(out Slab same, out nint address));
            Assert.Same(slab, same);
            Assert.DoesNotContain(address, pieces.Where((_, piece) => piece != 1));
        }

        Assert.True(slab.IsExhausted);
    }

    /// <param name="bytes">Of the pieces.</param>
    /// <param name="free">Whether there is a free one at the beginning. If not, there is room behind the last one.</param>
    [Theory]
    [InlineData(Piece, true)]
    [InlineData(Block / 16 * 3, false)]
    [InlineData(Block / 16 * 3, true)]
    public void Pieces_that_come_back_in_the_meantime_are_free_before_their_returns_end(int bytes, bool free)
    {
        using PixelAllocator allocator = Create();
        PixelLease<byte>[] images = Rent(allocator, Block / bytes, bytes);
        if (free)
        {
            images[0].Dispose();
        }

        long rentedAfterwards = -1;
        Thread? other = null;
        _system.Source.OnDiscard = _ =>
        {
            _system.Source.OnDiscard = null;
            other = new Thread(() =>
            {
                Array.ForEach(free ? images[1..] : images, static image => image.Dispose());
                rentedAfterwards = allocator.GetStatistics().RentedBytes;
            });
            other.Start();

            // The first one is back when the pages are gone, and not before.
            SpinWait.SpinUntil(() => !other.IsAlive || (other.ThreadState & ThreadState.WaitSleepJoin) != 0);
            Assert.Equal(Block, _system.Source.LiveBytes);
        };
        allocator.Trim();
        other!.Join();
        Assert.Equal(0, rentedAfterwards);

        // All of the block is free: it is idle.
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.Equal(Block, allocator.Trim());
        Assert.Equal(0, _system.Source.LiveBytes);
    }

    /// <summary>A trim goes from slab to slab: whoever waits for the first one does not wait for the others.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Between_two_slabs_those_who_wait_have_their_turn(bool isReturn)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 2);

        // Five to a block, and room behind the last one. The older block is full.
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(Block / 16 * 3);
        (Slab Slab, nint Address)[] pieces = [.. Enumerable.Range(0, 10).Select(_ => (sizeClass.TryTake(out Slab slab, out nint address) ? slab : null!, address))];
        pieces[9].Slab.Return(pieces[9].Address);
        bool isServed = false;
        Thread? other = null;
        _system.Source.OnDiscard = _ =>
        {
            if (other is not null)
            {
                Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref isServed), TimeSpan.FromMinutes(1)));
                return;
            }

            other = new Thread(() =>
            {
                if (isReturn)
                {
                    pieces[8].Slab.Return(pieces[8].Address);
                }

                Volatile.Write(ref isServed, isReturn || sizeClass.TryTake(out Slab _, out nint _));
            })
            { IsBackground = true };
            other.Start();
            Assert.True(SpinWait.SpinUntil(() => (other.ThreadState & ThreadState.WaitSleepJoin) != 0, TimeSpan.FromMinutes(1)));
        };
        pool.Trim();
        Assert.Equal(2, _system.Source.Discarded.Count);
        Assert.True(isServed);
    }

    /// <param name="inUse">Of five pieces: the block is full, or not.</param>
    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    public void A_system_that_fails_loses_no_piece(int inUse)
    {
        using PixelAllocator allocator = Create();
        PixelLease<byte>[] images = Rent(allocator, inUse, Block / 16 * 3);
        _system.Source.OnDiscard = static _ => throw new InvalidTimeZoneException();
        Assert.Throws<InvalidTimeZoneException>(() => allocator.Trim());
        _system.Source.OnDiscard = null;
        PixelLease<byte>[] others = Rent(allocator, 5 - inUse, Block / 16 * 3);
        Assert.Equal(Block, _system.Source.LiveBytes);
        Array.ForEach(images, static image => image.Dispose());
        Array.ForEach(others, static image => image.Dispose());
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.Equal(Block, allocator.Trim());
    }

    [Fact]
    public void Nobody_is_refused_because_of_it()
    {
        using PixelAllocator allocator = Create(static options => options.MaxRentedBytes = Block);
        using PixelLease<byte> held = allocator.Lease<byte>(Piece, 1);
        int running = 3;
        Simultaneously.Run(4, thread =>
        {
            if (thread == 3)
            {
                while (Volatile.Read(ref running) != 0)
                {
                    allocator.Trim();
                }

                return;
            }

            for (int i = 0; i < 3000; i++)
            {
                Assert.True(allocator.TryLease<byte>(Piece, 1, out PixelLease<byte> image));
                Assert.True(allocator.TryLease<byte>(Piece, 1, out PixelLease<byte> other));
                image.Dispose();
                other.Dispose();
            }

            Interlocked.Decrement(ref running);
        });
        Assert.Equal(Piece, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    /// <param name="bytes">Of the pieces. Two of those that are larger are all of a block but what is left behind them.</param>
    [Theory]
    [InlineData(Piece)]
    [InlineData(3 * Piece)]
    public void Who_returned_all_gets_all_whatever_is_trimmed(int bytes)
    {
        using PixelAllocator allocator = Create(static options => options.MaxRentedBytes = Block);
        bool isOver = false;
        Simultaneously.Run(2, thread =>
        {
            if (thread == 1)
            {
                while (!Volatile.Read(ref isOver))
                {
                    allocator.Trim();
                }

                return;
            }

            for (int i = 0; i < 5000; i++)
            {
                PixelLease<byte>[] some = [allocator.Lease<byte>(bytes, 1), allocator.Lease<byte>(bytes, 1)];
                Array.ForEach(some, static image => image.Dispose());
                Assert.True(allocator.TryLease<byte>(Block, 1, out PixelLease<byte> all));
                all.Dispose();
            }

            Volatile.Write(ref isOver, true);
        });
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void Resident_memory_falls()
    {
        const int RealBlock = 4 << 20;
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { SmallBuffers = SmallBufferStrategy.Slab, UseHugePages = false });
        PixelLease<byte>[] images = Rent(allocator, 64, RealBlock / 64);
        using PinnedPixels pin = images[0].Pin();
        Assert.SkipUnless(BlockSource.System.TryCountPages(pin.Address, RealBlock, out long before, out _), "this system does not tell what is resident");
        Assert.Equal(RealBlock, before);
        for (int i = 1; i < images.Length; i++)
        {
            images[i].Dispose();
        }

        allocator.Trim();
        Assert.True(BlockSource.System.TryCountPages(pin.Address, RealBlock, out long after, out _));
        Assert.Equal(RealBlock / 64, after);
        AssertMarked(images, 0);
        images[0].Dispose();
    }

    private PixelAllocator Create(Action<PixelAllocatorOptions>? configure = null) => _system.CreateAllocator(configure: options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        options.SmallBufferThresholdBytes = Block / 2;
        configure?.Invoke(options);
    });

    // Each is filled with its number.
    private static PixelLease<byte>[] Rent(PixelAllocator allocator, int count, int bytes = Piece)
    {
        var images = new PixelLease<byte>[count];
        for (int i = 0; i < count; i++)
        {
            images[i] = allocator.Lease<byte>(bytes, 1);
            images[i].Fill((byte)i);
        }

        return images;
    }

    private static void AssertMarked(PixelLease<byte>[] images, params int[] indexes)
    {
        foreach (int i in indexes)
        {
            Assert.Equal(((byte)i, (byte)i), (images[i][0, 0], images[i][images[i].Width - 1, 0]));
        }
    }

    private static void DisposeAll(PixelLease<byte>[] images, params int[] indexes)
    {
        foreach (int i in indexes)
        {
            images[i].Dispose();
        }
    }
}

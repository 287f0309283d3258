using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

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
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);

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

        // Of two pages one has a piece in it.
        allocator.Trim();
        Assert.Equal(Environment.SystemPageSize == 4096 ? Block / 2 : 0, _system.Source.Discarded.Sum(static range => range.Bytes));
        for (int i = 1; i < images.Length; i += 8)
        {
            Assert.Equal((byte)i, images[i][1023, 0]);
            images[i].Dispose();
        }
    }

    [Fact]
    public void A_piece_that_comes_back_in_the_meantime_is_free()
    {
        using PixelAllocator allocator = Create();
        PixelLease<byte>[] images = Rent(allocator, Pieces);
        images[0].Dispose();
        long rentedAfterwards = -1;
        using var allButOne = new ManualResetEventSlim();
        Thread? other = null;
        _system.Source.OnDiscard = _ =>
        {
            other = new Thread(() =>
            {
                for (int i = 1; i < Pieces - 1; i++)
                {
                    images[i].Dispose();
                }

                // The last one is back when the pages are gone, and not before.
                allButOne.Set();
                images[Pieces - 1].Dispose();
                rentedAfterwards = allocator.GetStatistics().RentedBytes;
            });
            other.Start();
            allButOne.Wait();
        };
        allocator.Trim();
        other!.Join();
        _system.Source.OnDiscard = null;
        Assert.Equal(0, rentedAfterwards);

        // All of the block is free: it is idle.
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.Equal(Block, allocator.Trim());
        Assert.Equal(0, _system.Source.LiveBytes);
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
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    public void Who_returned_all_gets_all_whatever_is_trimmed()
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
                PixelLease<byte>[] some = [allocator.Lease<byte>(Piece, 1), allocator.Lease<byte>(Piece, 1)];
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

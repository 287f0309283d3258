using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Pooling;

/// <summary>Of a block that is cut into pieces those count as rented that somebody rents; the rest of it is idle.</summary>
public sealed class RentedPiecesTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Piece = 4096;
    private const int Tiles = 10_000;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    /// <summary>Tiles of 16 and of 64 KiB: they fill pieces of blocks of 4 MiB. Nobody touches them.</summary>
    [Theory]
    [InlineData(64, false)]
    [InlineData(128, false)]
    [InlineData(64, true)]
    public void Half_of_the_tiles_disposed_is_half_of_the_bytes_rented(int side, bool elsewhere)
    {
        Assert.SkipWhen(IntPtr.Size == 4 && side > 64, "a 32-bit process has no such addresses");
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            SmallBuffers = SmallBufferStrategy.Slab,
            MaxPooledBytes = 1 << 30,
            LeakTracking = LeakTracking.Off,
            TrimPolicy = TrimPolicy.None,
        });
        long tileBytes = 4L * side * side;
        PixelBuffer<uint>[] tiles = [.. Enumerable.Range(0, Tiles).Select(_ => allocator.Rent<uint>(side, side))];
        AssertRented(allocator, Tiles * tileBytes);
        Return(Tiles / 2, elsewhere, i => tiles[2 * i].Dispose());
        PixelPoolStatistics half = AssertRented(allocator, Tiles / 2 * tileBytes);
        Assert.Equal(half.AllocatedBytes - half.ReleasedBytes - (Tiles / 2 * tileBytes), half.IdleBytes);

        // Every block has pieces in use.
        Assert.Equal(0, allocator.Trim());
        Assert.Equal(half.IdleBytes, AssertRented(allocator, Tiles / 2 * tileBytes).IdleBytes);
        Return(Tiles / 2, elsewhere, i => tiles[(2 * i) + 1].Dispose());
        Assert.Equal(AssertRented(allocator, 0).IdleBytes, allocator.Trim());
        Assert.Equal(0, AssertRented(allocator, 0).IdleBytes);
    }

    [Fact]
    public void What_threads_keep_is_not_rented()
    {
        Assert.SkipUnless(ProcessBarrier.IsSupported, "this build has no caches of threads");
        using PixelAllocator allocator = Create();
        using PixelBuffer<byte> held = allocator.Rent<byte>(Piece, 1);
        using var users = new ThreadCaches.ThreadsThatStay(3, () =>
        {
            for (int i = 0; i < 200; i++)
            {
                using PixelLease<byte> one = allocator.Lease<byte>(Piece, 1);
                using PixelLease<byte> other = allocator.Lease<byte>(Piece, 1);
            }
        });
        PixelPoolStatistics kept = AssertRented(allocator, Piece);
        Assert.True(kept.IdleBytes >= Block - Piece, kept.ToString());

        // Pieces that threads kept are put back: the block of the one that is held stays.
        allocator.Trim();
        Assert.Equal(Block - Piece, AssertRented(allocator, Piece).IdleBytes);
    }

    [Fact]
    public void What_does_not_fill_a_block_is_idle()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 5).Select(_ => allocator.Rent<byte>(12_288, 1))];
        Assert.Equal(Block - (5 * 12_288), AssertRented(allocator, 5 * 12_288).IdleBytes);
        Array.ForEach(images, static image => image.Dispose());
        Assert.Equal(Block, AssertRented(allocator, 0).IdleBytes);
    }

    [Fact]
    public void The_peak_is_that_of_blocks()
    {
        using PixelAllocator allocator = Create();
        allocator.Rent<byte>(Piece, 1).Dispose();
        Assert.Equal(Block, allocator.GetStatistics().PeakHeldBytes);
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 40).Select(_ => allocator.Rent<byte>(Piece, 1))];
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(statistics.RentedBytes + statistics.IdleBytes, statistics.PeakHeldBytes);
        Array.ForEach(images, static image => image.Dispose());
        allocator.Trim();
        Assert.Equal(statistics.PeakHeldBytes, allocator.GetStatistics().PeakHeldBytes);
    }

    [Fact]
    public void The_budget_pays_for_whole_blocks()
    {
        using PixelAllocator allocator = Create(static options => options.MaxRentedBytes = 2 * Block);
        using PixelBuffer<byte> image = allocator.Rent<byte>(Piece, 1);
        Assert.Equal(Block - Piece, AssertRented(allocator, Piece).IdleBytes);
        Assert.Equal(Block, allocator.GetStatistics().ChargedBytes);
        Assert.False(allocator.TryRent<byte>(Block, 2, out _));
    }

    [Fact]
    public void A_request_that_is_refused_rents_nothing()
    {
        using PixelAllocator allocator = Create(static options => options.MaxRentedBytes = 2 * Block);
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 2);
        for (int i = 0; i < 3; i++)
        {
            Assert.False(allocator.TryRent<byte>(Piece, 1, out _));
        }

        AssertRented(allocator, 2 * Block);
    }

    /// <summary>Whoever reads sees at least what is held all the time, and no more than all threads can hold.</summary>
    [Fact]
    public void Beside_rents_no_more_is_rented_than_threads_hold()
    {
        const int Renters = 3;
        const int Steady = 40;
        const int Most = 8;
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] steady = [.. Enumerable.Range(0, Steady).Select(_ => allocator.Rent<byte>(Piece, 1))];
        var handedOver = new PixelBuffer<byte>?[4];
        int running = Renters;
        Simultaneously.Run(Renters + 1, thread =>
        {
            if (thread == Renters)
            {
                do
                {
                    PixelPoolStatistics statistics = allocator.GetStatistics();
                    StatisticsAssert.Balanced(statistics);
                    Assert.InRange(statistics.RentedBytes, Steady * Piece, (Steady + handedOver.Length + (Renters * (Most + 1))) * Piece);
                    allocator.Trim();
                }
                while (Volatile.Read(ref running) != 0);
                return;
            }

            var held = new PixelBuffer<byte>?[Most];
            for (int i = 0; i < 20_000; i++)
            {
                ref PixelBuffer<byte>? place = ref held[i % Most];
                place?.Dispose();
                place = Interlocked.Exchange(ref handedOver[i % handedOver.Length], allocator.Rent<byte>(Piece, 1));
            }

            Array.ForEach(held, static image => image?.Dispose());
            Interlocked.Decrement(ref running);
        });
        Array.ForEach(handedOver, static image => image?.Dispose());
        AssertRented(allocator, Steady * Piece);
        Array.ForEach(steady, static image => image.Dispose());
        AssertRented(allocator, 0);
    }

    /// <summary>A piece is taken before the guard that holds it: without memory for the guard it goes back.</summary>
    [Fact]
    [Trait("Category", "Long")]
    public void A_rent_that_gets_no_guard_gives_its_piece_back() => ChildProcess.Run(WalkAllocations, FullHeap.Environment);

    private static void WalkAllocations()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = Block,
            SmallBuffers = SmallBufferStrategy.Slab,
            LeakTracking = LeakTracking.Off,
            TrimPolicy = TrimPolicy.None,
        });
        var heap = new FullHeap();
        var held = new PixelLease<byte>[128];
        int count = 0;

        // First with what the runtime needs once.
        Assert.True(TryRent(32 << 10));
        int refused = 0;
        for (int rest = FullHeap.LeastBytes; rest < 1600; rest += 16)
        {
            refused += TryRent(rest) ? 0 : 1;
            AssertRented(allocator, count * Piece);
        }

        Assert.NotEqual(0, refused);
        for (int i = 0; i < count; i++)
        {
            held[i].Dispose();
        }

        long idle = AssertRented(allocator, 0).IdleBytes;
        Assert.Equal(idle, allocator.Trim());

        bool TryRent(int rest)
        {
            heap.FillBut(rest);
            try
            {
                held[count] = allocator.Lease<byte>(Piece, 1);
                count++;
                return true;
            }
            catch (OutOfMemoryException)
            {
                return false;
            }
            finally
            {
                heap.Release();
            }
        }
    }

    private static void Return(int count, bool elsewhere, Action<int> dispose)
    {
        Simultaneously.Run(elsewhere ? 2 : 1, thread =>
        {
            for (int i = thread; i < count; i += elsewhere ? 2 : 1)
            {
                dispose(i);
            }
        });
    }

    private static PixelPoolStatistics AssertRented(PixelAllocator allocator, long bytes)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(bytes, statistics.RentedBytes);
        StatisticsAssert.Balanced(statistics);
        return statistics;
    }

    private PixelAllocator Create(Action<PixelAllocatorOptions>? configure = null) => _system.CreateAllocator(256, options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        options.SmallBufferThresholdBytes = Block / 2;
        options.LeakTracking = LeakTracking.Off;
        configure?.Invoke(options);
    });
}

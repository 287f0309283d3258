using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Accessors;

/// <summary>What delegates compute comes back, with and without a state, of one image and of several, on one thread and on many.</summary>
public sealed class ResultTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void One_thread_returns_what_the_delegate_returns(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        using PixelBuffer<byte> other = allocator.Rent<byte>(3, 5);
        Assert.Equal(image.Height, image.ProcessPixelRows(static rows => rows.Height));
        Assert.Equal(image.Height + 1, image.ProcessPixelRows(1, static (rows, one) => rows.Height + one));
        Assert.Equal((image.Width, 5), image.ProcessPixelRows(other, static (rows, others) => (rows.Width, others.Height)));
        Assert.Equal((image.Width, 5, 7), image.ProcessPixelRows(other, 7, static (rows, others, state) => (rows.Width, others.Height, state)));
        Assert.Equal(8, image.ProcessPixelRows(other, other, static (_, b, c) => b.Width + c.Height));
        Assert.Equal(9, image.ProcessPixelRows(other, other, 1, static (_, b, c, one) => b.Width + c.Height + one));
        Assert.Equal(10, image.ProcessPixelRows<byte, int>([other, other], static (_, others) => others[0].Height + others[1].Height));
        Assert.Equal(11, image.ProcessPixelRows<byte, int, int>([other, other], 1, static (_, others, one) => others[0].Height + others[1].Height + one));

        // An expression with a value need not be used.
        image.ProcessPixelRows(static rows => rows[0, 0]++);
        image.ProcessPixelRows(other, static (rows, _) => rows[0, 0] = 5);
        Assert.Equal(5u, image[0, 0]);
    }

#if LIBRARY_NET10
    [Fact]
    [Trait("Library", "Net10")]
    public void A_span_is_a_state_too()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<uint> image = allocator.Rent<uint>(10, 10);
        Assert.Equal(6, image.ProcessPixelRows((ReadOnlySpan<byte>)[1, 2, 3], static (_, values) => values[0] + values[1] + values[2]));
    }
#endif

    [Fact]
    public void Nothing_is_allocated_with_a_state()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<uint> image = allocator.Rent<uint>(4, 4);
        long before = 0;
        for (int i = 0; i < 10; i++)
        {
            before = GC.GetAllocatedBytesForCurrentThread();
            Sum(image);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());

        static void Sum(PixelBuffer<uint> image)
        {
            image.ProcessPixelRows(static rows => rows.Height);
            image.ProcessPixelRows(1, static (rows, one) => rows.Height + one);
            image.ProcessPixelRows(image, 1, static (rows, _, one) => rows.Height + one);
            image.ProcessPixelRows(image, image, 1, static (rows, _, _, one) => rows.Height + one);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(-1)]
    public void Threads_combine_what_their_bands_return_in_the_order_of_the_rows(int degree)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> image = allocator.Rent<byte>(300, 700);
        int[] all = [.. Enumerable.Range(0, 700)];
        Assert.Equal(all, image.ProcessPixelRowsInParallel(static band => Rows(band), Join, degree, Token));
        Assert.Equal(all, image.ProcessPixelRowsInParallel(image, static (band, _) => Rows(band), Join, degree, Token));
        Assert.Equal(all, image.ProcessPixelRowsInParallel(image, image, static (_, _, band) => Rows(band), Join, degree, Token));
        Assert.Equal(all, image.ProcessPixelRowsInParallel<byte, int[]>([image], static (_, others) => Rows(others[0]), Join, degree, Token));
        Assert.Equal(
            [-1, .. all], image.ProcessPixelRowsInParallel<byte, int, int[]>([image], -1, static (band, _, first) => band.FirstRow == 0 ? [first, .. Rows(band)] : Rows(band), Join, degree, Token));
    }

    [Fact]
    public void What_a_delegate_throws_leaves_and_nothing_stays_held()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<byte> image = allocator.Rent<byte>(300, 100);
        Assert.Throws<NotSupportedException>(() => image.ProcessPixelRows<int>(static _ => throw new NotSupportedException()));
        Assert.Throws<NotSupportedException>(() => image.ProcessPixelRows<byte, int>([image, image], static (_, _) => throw new NotSupportedException()));
        Assert.Throws<AggregateException>(() => image.ProcessPixelRowsInParallel<int>(static _ => throw new NotSupportedException(), static (a, _) => a));
        Assert.Throws<AggregateException>(() => image.ProcessPixelRowsInParallel<byte, int>([image], static (_, _) => throw new NotSupportedException(), static (a, _) => a));
        Assert.Throws<NotSupportedException>(() => image.ProcessPixelRowsInParallel(static _ => 1, static (_, _) => throw new NotSupportedException(), 4));
        Assert.Throws<ArgumentNullException>("combine", () => image.ProcessPixelRowsInParallel(static _ => 1, null!));
        Assert.Throws<ArgumentNullException>("process", () => image.ProcessPixelRowsInParallel(null!, static (int a, int _) => a));
        Assert.Throws<ArgumentNullException>("process", () => image.ProcessPixelRows((PixelAccessorFunc<byte, int>)null!));
        Assert.ThrowsAny<OperationCanceledException>(() => image.ProcessPixelRowsInParallel(static _ => 1, static (a, _) => a, 1, new CancellationToken(canceled: true)));
        image.ProcessPixelRows(rows =>
        {
            image.Dispose();
            return rows[0, 0];
        });
        TierSizes.AssertQuiet(allocator);
    }

    private static int[] Rows(PixelAccessor<byte> band) => [.. Enumerable.Range(band.FirstRow, band.Height)];

    private static int[] Join(int[] first, int[] second) => [.. first, .. second];
}

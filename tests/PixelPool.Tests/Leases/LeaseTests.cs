using PixelPool.Native;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Leases;

/// <summary>A lease is what a buffer of the same size is: its sizes, its rows, its memory.</summary>
public class LeaseTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    public static TheoryData<MemoryTier, int> AllTiersAndPixels => TierSizes.AllWithPixelBytes;

    [Theory]
    [MemberData(nameof(AllTiersAndPixels))]
    public void Sizes_are_those_of_a_buffer(MemoryTier tier, int pixelBytes) => PixelTypes.Call(pixelBytes, CompareSizes<byte>, tier);

    [Theory]
    [MemberData(nameof(AllTiersAndPixels))]
    public void Rows_hold_what_is_written(MemoryTier tier, int pixelBytes) => PixelTypes.Call(pixelBytes, WriteAndRead<byte>, tier);

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Books_are_those_of_a_buffer(MemoryTier tier)
    {
        using PixelAllocator leasing = TierSizes.Create(tier);
        using PixelAllocator renting = TierSizes.Create(tier);
        for (int i = 0; i < 3; i++)
        {
            PixelLease<Rgb24> lease = leasing.Lease<Rgb24>(tier);
            PixelBuffer<Rgb24> buffer = TierSizes.Rent<Rgb24>(renting, tier);
            Assert.Equal(renting.GetStatistics().RentedBytes, leasing.GetStatistics().RentedBytes);
            Assert.NotEqual(0, leasing.GetStatistics().RentedBytes);
            lease.Dispose();
            buffer.Dispose();
        }

        TierSizes.AssertQuiet(leasing);
        Assert.Equal(3, leasing.GetStatistics().Rents);
        Assert.Equal(renting.GetStatistics().PeakHeldBytes, leasing.GetStatistics().PeakHeldBytes);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Clean_leases_are_zero_on_every_reuse(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        for (int i = 0; i < 10; i++)
        {
            using PixelLease<uint> clean = allocator.Lease<uint>(tier, AllocationOptions.Clean);
            clean.AssertHolds(0);
            clean.Fill(uint.MaxValue);
        }

        Assert.Equal(10, allocator.GetStatistics().Rents);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Contiguous_leases_are_one_piece(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelLease<Rgb24> lease = allocator.Lease<Rgb24>(tier, AllocationOptions.Contiguous);
        Assert.True(lease.IsContiguous);
        Assert.Equal(1, lease.BlockCount);
        using PixelBuffer<Rgb24> buffer = lease.AsBuffer();
        Assert.True(buffer.TryProcessSinglePixelSpan(pixels => Assert.Equal(buffer.Width * buffer.Height, pixels.Length)));
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Memory_of_leases_is_cleared_on_return_where_that_is_asked(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.ClearOnReturn = true;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        allocator.Lease<uint>(tier).Dispose();

        // Others share the ArrayPool, and the C library's fresh memory is not always zero.
        bool isMine = tier is not (MemoryTier.Array or MemoryTier.ContiguousSmall) && (!TierSizes.IsUnpooled(tier) || BlockSource.System.IsZeroed);
        for (int i = 0; i < 5; i++)
        {
            using PixelLease<uint> lease = allocator.Lease<uint>(tier);
            if (isMine)
            {
                lease.AssertHolds(0);
            }

            lease.Fill(uint.MaxValue);
        }
    }

    [Fact]
    public void Leases_beside_each_other_share_no_memory()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        var leases = new PixelLease<uint>[MemoryTierCount * 3];
        for (uint i = 0; i < leases.Length; i++)
        {
            leases[i] = allocator.Lease<uint>((MemoryTier)(i % MemoryTierCount));
            leases[i].Fill(i);
        }

        for (uint i = 0; i < leases.Length; i++)
        {
            leases[i].AssertHolds(i);
            leases[i].Dispose();
        }

        TierSizes.AssertQuiet(allocator);
    }

#if LIBRARY_NET10
    [Fact]
    [Trait("Library", "Net10")]
    public void State_may_be_a_span()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelLease<uint> lease = allocator.Lease<uint>(MemoryTier.SeveralBlocks);
        Span<uint> row = stackalloc uint[61];
        row.Fill(7);
        lease.ProcessPixelRows((ReadOnlySpan<uint>)row, static (rows, source) =>
        {
            foreach (Span<uint> row in rows)
            {
                source.CopyTo(row);
            }
        });
        lease.AssertHolds(7);
    }
#endif

    [Fact]
    public void Text_says_size_and_state()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        PixelLease<uint> lease = allocator.Lease<uint>(20, 10);
        Assert.Equal("20 x 10 UInt32, 800 B", lease.ToString());
        lease.Dispose();
        Assert.EndsWith(", disposed", lease.ToString(), StringComparison.Ordinal);
    }

    private static int MemoryTierCount => Enum.GetValues<MemoryTier>().Length;

    private static void CompareSizes<TPixel>(MemoryTier tier)
        where TPixel : unmanaged
    {
        foreach (int alignment in (int[])[1, 64])
        {
            PixelAllocatorOptions options = TierSizes.Options(tier);
            options.RowAlignmentBytes = alignment;
            using PixelAllocator allocator = PixelAllocator.Create(options);
            using PixelBuffer<TPixel> buffer = TierSizes.Rent<TPixel>(allocator, tier, rowAlignmentBytes: alignment);
            using PixelLease<TPixel> lease = allocator.Lease<TPixel>(tier, rowAlignmentBytes: alignment);
            Assert.Equal((buffer.Width, buffer.Height, buffer.Stride), (lease.Width, lease.Height, lease.Stride));
            Assert.Equal(
                (buffer.RowsPerBlock, buffer.BlockCount, buffer.IsContiguous, buffer.IsDisposed),
                (lease.RowsPerBlock, lease.BlockCount, lease.IsContiguous, lease.IsDisposed));
            lease.ProcessPixelRows(buffer, static (rows, buffer) =>
            {
                Assert.Equal((buffer.Width, buffer.Height, 0), (rows.Width, rows.Height, rows.FirstRow));
                Assert.Equal(buffer.Width, rows.GetRowSpan(buffer.Height - 1).Length);
            });
        }
    }

    private static void WriteAndRead<TPixel>(MemoryTier tier)
        where TPixel : unmanaged
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelLease<TPixel> lease = allocator.Lease<TPixel>(tier))
        {
            lease.ProcessPixelRows(static rows =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    Span<TPixel> row = rows.GetRowSpan(y);
                    for (int x = 0; x < row.Length; x++)
                    {
                        row[x] = PixelPattern.Value<TPixel>(x, y);
                    }
                }
            });

            TPixel[] expected = PixelPattern.Expected<TPixel>(lease.Width, lease.Height);
            lease.ProcessPixelRows(expected, static (rows, expected) =>
            {
                int y = 0;
                foreach (Span<TPixel> row in rows)
                {
                    PixelPattern.AssertSame(expected.AsSpan(y++ * rows.Width, rows.Width), row, y);
                }

                Assert.Equal(rows.Height, y);
            });
            using PixelBuffer<TPixel> buffer = lease.AsBuffer();
            PixelPattern.AssertHolds(buffer);
        }

        TierSizes.AssertQuiet(allocator);
    }
}

using System.Globalization;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>ToString prints sizes for people, the same in every culture.</summary>
public class HumanSizeTests
{
    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(1, "1 B")]
    [InlineData(1023, "1023 B")]
    [InlineData(1024, "1 KiB")]
    [InlineData(1536, "1.5 KiB")]
    [InlineData(1 << 20, "1 MiB")]
    [InlineData((1 << 20) + (1 << 18), "1.25 MiB")]
    [InlineData(4L << 30, "4 GiB")]
    [InlineData(3L << 40, "3 TiB")]
    [InlineData(2L << 50, "2 PiB")]
    [InlineData(long.MaxValue, "8 EiB")]
    [InlineData(-1, "-1 B")]
    [InlineData(-2048, "-2 KiB")]
    [InlineData(long.MinValue, "-8 EiB")]
    public void Bytes_are_written_for_people(long bytes, string expected) => Assert.Equal(expected, ByteSize.Format(bytes));

    [Fact]
    public void The_culture_does_not_matter()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("de-DE");
            Assert.Equal("1.5 MiB", ByteSize.Format(1536 << 10));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void Statistics_say_what_matters()
    {
        var statistics = new PixelPoolStatistics
        {
            RentedBytes = 12 << 20,
            IdleBytes = 3 << 19,
            PeakHeldBytes = 20 << 20,
            Hits = 7,
            Misses = 3,
            SmallRents = 2,
            UnpooledRents = 1,
            LeakedCount = 4,
            LeakedBytes = 1 << 10,
            TrimmedByRequestBytes = 8 << 20,
        };
        Assert.Equal(
            "12 MiB rented, 1.5 MiB idle (peak 20 MiB); 13 rents: 7 hits, 3 misses, 2 small, 1 unpooled; 8 MiB trimmed; 4 leaked (1 KiB)",
            statistics.ToString());
        statistics = statistics with { BudgetBytes = 352 << 20, ChargedBytes = 16 << 20, WaitingRents = 5 };
        Assert.StartsWith("12 MiB rented, 1.5 MiB idle (peak 20 MiB); 16 MiB of 352 MiB charged, 5 waiting; 13 rents:", statistics.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Totals_of_statistics_are_the_sums_of_their_parts()
    {
        var statistics = new PixelPoolStatistics
        {
            Hits = 1,
            Misses = 2,
            SmallRents = 4,
            UnpooledRents = 8,
            TrimmedByTimerBytes = 1,
            TrimmedByGen2Bytes = 2,
            TrimmedByPressureBytes = 4,
            TrimmedByRequestBytes = 8,
            TrimmedByOutOfMemoryBytes = 16,
        };
        Assert.Equal(15, statistics.Rents);
        Assert.Equal(31, statistics.TrimmedBytes);
    }

    [Fact]
    public void Buffers_say_their_size_and_where_they_lie()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<uint> small = allocator.Rent<uint>(16, 16);
        Assert.Equal("16 x 16 UInt32, 1 KiB in 1 piece", small.ToString());
        small.Dispose();
        Assert.Equal("16 x 16 UInt32, 1 KiB in 1 piece, disposed", small.ToString());
        using PixelBuffer<byte> large = allocator.Rent<byte>(1024, 256);
        Assert.Equal("1024 x 256 Byte, 256 KiB in 4 pieces", large.ToString());
    }

    [Fact]
    public void Views_and_padded_images_say_the_bytes_of_their_own_pixels()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.SeveralBlocks);
        options.RowAlignmentBytes = 64;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<byte> image = allocator.Rent<byte>(1000, 100);
        using PixelBuffer<byte> view = image.View(0, 0, 1, 100);
        Assert.Equal("1 x 100 Byte, 100 B in 2 pieces", view.ToString());
        Assert.Equal("1000 x 100 Byte, 97.66 KiB in 2 pieces", image.ToString());
        using PixelLease<byte> lease = allocator.Lease<byte>(1000, 100);
        Assert.Equal("1000 x 100 Byte, 97.66 KiB", lease.ToString());
    }

    [Fact]
    public void Allocators_say_their_name_and_their_statistics()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        options.Name = "thumbnails";
        options.SmallBufferThresholdBytes = 0;
        using PixelAllocator named = PixelAllocator.Create(options);
        using PixelBuffer<byte> buffer = named.Rent<byte>(10, 10);
        Assert.StartsWith("thumbnails: 64 KiB rented, 0 B idle (peak 64 KiB); 1 rent:", named.ToString(), StringComparison.Ordinal);
        using PixelAllocator nameless = PixelAllocator.Create();
        Assert.StartsWith("PixelAllocator: 0 B rented", nameless.ToString(), StringComparison.Ordinal);
        Assert.StartsWith("Shared: ", PixelAllocator.Shared.ToString(), StringComparison.Ordinal);
    }
}

using PixelPool.Tests.Buffers;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Leases;

/// <summary>Leases where other tests have buffers.</summary>
internal static class LeaseExtensions
{
    /// <summary>What <see cref="TierSizes.Rent{TPixel}"/> rents, as a lease.</summary>
    public static PixelLease<TPixel> Lease<TPixel>(
        this PixelAllocator allocator, MemoryTier tier, AllocationOptions options = AllocationOptions.None, int rowAlignmentBytes = 1)
        where TPixel : unmanaged
    {
        (int width, int height) = TierSizes.Size<TPixel>(tier, rowAlignmentBytes);
        return allocator.Lease<TPixel>(width, height, options | TierSizes.Asks(tier));
    }

    /// <summary>What <see cref="Rental.Rent"/> rents, as a lease.</summary>
    public static PixelLease<uint> Lease(this Rental rental) => rental.Kind switch
    {
        RentKind.Array or RentKind.Slab => rental.Allocator.Lease<uint>(32, 20),
        RentKind.OneBlock => rental.Allocator.Lease<uint>(100, 100),
        RentKind.ManyBlocks => rental.Allocator.Lease<uint>(128, 500),
        RentKind.UnpooledPieces => rental.Allocator.Lease<uint>(256, 64 * (Rental.CapacityBlocks + 4)),
        RentKind.Contiguous => rental.Allocator.Lease<uint>(128, 500, AllocationOptions.Contiguous),
        _ => rental.Allocator.Lease<uint>(Rental.BlockBytes / 2, 4),
    };

    public static void Fill(this PixelLease<uint> lease, uint value) => lease.ProcessPixelRows(value, static (rows, value) => rows.Fill(value));

    public static void Fill(this PixelAccessor<uint> rows, uint value)
    {
        foreach (Span<uint> row in rows)
        {
            row.Fill(value);
        }
    }

    /// <summary>Checks every pixel.</summary>
    public static void AssertHolds(this PixelLease<uint> lease, uint value) => lease.ProcessPixelRows(value, static (rows, value) => rows.AssertHold(value));

    /// <summary>Checks every pixel.</summary>
    public static void AssertHold(this PixelAccessor<uint> rows, uint value)
    {
        foreach (Span<uint> row in rows)
        {
            Assert.Equal(-1, row.IndexOfAnyExcept(value));
        }
    }

    /// <summary>Rents more, trims and writes: had the memory under <paramref name="rows"/> gone back, one of the new rents would have it now.</summary>
    public static void AssertStillHeld(this PixelAccessor<uint> rows, Rental rental)
    {
        const uint Mine = 0x1234_5678;
        rows.Fill(Mine);
        Assert.NotEqual(0, rental.Statistics.RentedBytes);
        rental.Allocator.Trim();
        using (PixelLease<uint> other = rental.Lease())
        using (PixelBuffer<uint> another = rental.Rent())
        {
            other.Fill(2);
            another.Fill(3);
        }

        rows.AssertHold(Mine);
    }
}

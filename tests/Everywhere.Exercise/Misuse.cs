namespace Everywhere.Exercise;

/// <summary>What must be refused, and what does nothing.</summary>
internal static class Misuse
{
    public static void SecondDisposalsDoNothing()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        PixelBuffer<uint> image = allocator.Rent<uint>(1100, 1000);
        PinnedPixels pin = image.View(0, 0, 10, 10).Pin();
        PixelLease<uint> lease = allocator.Lease<uint>(1100, 1000);
        image.Dispose();
        image.Dispose();
        lease.Dispose();
        lease.Dispose();
        pin.Dispose();
        pin.Dispose();
        Checks.Equal((true, true, 1L), (image.IsDisposed, lease.IsDisposed, allocator.GetStatistics().SecondReturns));
        Checks.Throws<ObjectDisposedException>(() => image[0, 0] = 1);
        Checks.Throws<ObjectDisposedException>(() => image.ProcessPixelRows(static _ => { }));
        Checks.Throws<ObjectDisposedException>(lease.Clear);
        Checks.Throws<ObjectDisposedException>(() => _ = pin.Address);
    }

    public static void SizesThatOverflowAreRefused()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        Checks.Throws<ArgumentOutOfRangeException>(() => allocator.Rent<uint>(0, 1).Dispose());
        Checks.Throws<ArgumentOutOfRangeException>(() => allocator.Rent<uint>(1, -1).Dispose());
        Checks.Throws<ArgumentOutOfRangeException>(() => allocator.Allocate<uint>(-1).Dispose());
        Checks.Throws<InvalidMemoryOperationException>(() => allocator.Rent<ulong>(int.MaxValue, int.MaxValue).Dispose());
        Checks.Throws<InvalidMemoryOperationException>(() => allocator.Rent<decimal>(int.MaxValue, 1).Dispose());
        Checks.NothingIsLeft(allocator);
    }

    public static void DisposedAllocatorsRefuse()
    {
        PixelAllocator allocator = PixelAllocator.Create();
        PixelBuffer<uint> image = allocator.Rent<uint>(1100, 1000);
        allocator.Dispose();
        allocator.Dispose();
        Pattern.Write(image, 1);
        Pattern.Check(image, 1);
        image.Dispose();
        Checks.Throws<ObjectDisposedException>(() => allocator.Rent<uint>(10, 10).Dispose());
        Checks.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
    }

    public static void GuardedRentsEndAtAPage()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { GuardedRentSampling = 1 });
        for (int i = 0; i < 100; i++)
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            Pattern.Write(image, (uint)i);
            Pattern.Check(image, (uint)i);
            using PinnedPixels pin = image.Pin();
            if (Platform.HasGuardedRents)
            {
                Checks.Equal(0L, (pin.Address + 40_000) % Environment.SystemPageSize);
            }
        }

        Checks.NothingIsLeft(allocator);
    }
}

namespace PixelPool.Published;

/// <summary>Objects of one size, from a package that uses what the library keeps to itself.</summary>
internal static unsafe class Objects
{
    public static void ShareTheBudget()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 8 << 20 });
        using var objects = new FixedBlockAllocator<long>(allocator);
        long* item = objects.Allocate();
        *item = 7;
        Checks.Equal(4L << 20, allocator.GetStatistics().ChargedBytes);
        Checks.Equal(false, allocator.TryRent<uint>(2000, 1000, out _));
        objects.Free(item);
        objects.Trim();
        Checks.Equal(0L, allocator.GetStatistics().ChargedBytes);
    }
}

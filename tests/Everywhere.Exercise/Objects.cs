namespace Everywhere.Exercise;

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

    public static void ComeFromEverySupply()
    {
        using var pool = new UniformUnmanagedMemoryPool();
        using var ofPool = new FixedBlockAllocator<long>(pool);
        using var checking = new FixedBlockAllocator<long>(checksFrees: true);
        Use(ofPool);
        Use(checking);
        Checks.Equal(0L, pool.GetStatistics().RentedBytes);
    }

    private static void Use(FixedBlockAllocator<long> objects)
    {
        for (int i = 0; i < 100_000; i++)
        {
            long* item = objects.Allocate();
            *item = i;
            if (i % 2 == 0)
            {
                objects.Free(item);
            }
        }

        Checks.Equal(50_000L, objects.Count);
        objects.Clear();
        objects.Trim();
        Checks.Equal((0L, 0L), (objects.Count, objects.GetStatistics().RentedBytes));
    }
}

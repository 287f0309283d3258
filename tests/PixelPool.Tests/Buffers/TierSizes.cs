namespace PixelPool.Tests.Buffers;

/// <summary>Images for every tier, small enough for a table of tests: blocks of 64 KiB, arrays up to 16 KiB, unpooled pieces of 128 KiB.</summary>
internal static class TierSizes
{
    public const int BlockBytes = 64 << 10;
    public const int SmallBytes = 16 << 10;
    public const int UnpooledBytes = 128 << 10;

    /// <summary>Every tier.</summary>
    public static TheoryData<MemoryTier> All => [.. Enum.GetValues<MemoryTier>()];

    /// <summary>Runs a test for every tier; says which one failed.</summary>
    public static void ForEach(Action<MemoryTier> test)
    {
        foreach (MemoryTier tier in Enum.GetValues<MemoryTier>())
        {
            try
            {
                test(tier);
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"{tier}: {e.Message}", e);
            }
        }
    }

    /// <summary>Every tier with every size of a pixel.</summary>
    public static TheoryData<MemoryTier, int> AllWithPixelBytes
    {
        get
        {
            var data = new TheoryData<MemoryTier, int>();
            foreach (MemoryTier tier in Enum.GetValues<MemoryTier>())
            {
                foreach (int pixelBytes in PixelTypes.Sizes)
                {
                    data.Add(tier, pixelBytes);
                }
            }

            return data;
        }
    }

    /// <summary>Options with which <see cref="Rent{TPixel}"/> gets its memory from the tier.</summary>
    public static PixelAllocatorOptions Options(MemoryTier tier) => new()
    {
        BlockBytes = BlockBytes,
        SmallBufferThresholdBytes = SmallBytes,
        SmallBuffers = tier == MemoryTier.Slab ? SmallBufferStrategy.Slab : SmallBufferStrategy.ArrayPool,
        UnpooledBlockBytes = UnpooledBytes,
        MaxPooledBytes = IsUnpooled(tier) ? 0 : 64 * BlockBytes,
        TrimPolicy = TrimPolicy.None,
    };

    /// <summary>Whether the memory of the tier goes back to the system at once.</summary>
    public static bool IsUnpooled(MemoryTier tier) =>
        tier is MemoryTier.UnpooledPieces or MemoryTier.UnpooledContiguous or MemoryTier.UnpooledLongRows;

    public static PixelAllocator Create(MemoryTier tier) => PixelAllocator.Create(Options(tier));

    /// <summary>What an image of the tier asks of its memory.</summary>
    public static AllocationOptions Asks(MemoryTier tier) => tier switch
    {
        MemoryTier.ContiguousSmall or MemoryTier.ContiguousOneBlock or MemoryTier.ContiguousLarge or MemoryTier.UnpooledContiguous =>
            AllocationOptions.Contiguous,
        _ => AllocationOptions.None,
    };

    /// <summary>A size that goes to the tier: an odd width, and rows that do not fill the last block.</summary>
    public static unsafe (int Width, int Height) Size<TPixel>(MemoryTier tier, int rowAlignmentBytes = 1)
        where TPixel : unmanaged
    {
        int width = tier switch
        {
            MemoryTier.LongRows => (BlockBytes + 5000) / sizeof(TPixel) | 1,
            MemoryTier.VeryLongRows or MemoryTier.UnpooledLongRows => (UnpooledBytes + 5000) / sizeof(TPixel) | 1,
            _ => 61,
        };
        int stride = ((width * sizeof(TPixel)) + rowAlignmentBytes - 1) & -rowAlignmentBytes;
        int height = tier switch
        {
            MemoryTier.Array or MemoryTier.Slab or MemoryTier.ContiguousSmall => 10_000 / stride,
            MemoryTier.OneBlock or MemoryTier.ContiguousOneBlock => 40_000 / stride,
            MemoryTier.SeveralBlocks => 4 * (BlockBytes / stride) + (20_000 / stride),
            MemoryTier.UnpooledPieces => 3 * (UnpooledBytes / stride) + (50_000 / stride),
            MemoryTier.ContiguousLarge or MemoryTier.UnpooledContiguous => 200_000 / stride,
            _ => 5,
        };
        return (width, height);
    }

    public static PixelBuffer<TPixel> Rent<TPixel>(
        PixelAllocator allocator, MemoryTier tier, AllocationOptions options = AllocationOptions.None, int rowAlignmentBytes = 1)
        where TPixel : unmanaged
    {
        (int width, int height) = Size<TPixel>(tier, rowAlignmentBytes);
        return allocator.Rent<TPixel>(width, height, options | Asks(tier));
    }

    /// <summary>Rented + idle = allocated − released, nothing rented, nothing leaked.</summary>
    public static void AssertQuiet(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(0, statistics.RentedBytes);
        Assert.Equal(0, statistics.LeakedCount);
        AssertBalanced(statistics);
    }

    public static void AssertBalanced(PixelPoolStatistics statistics) =>
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.RentedBytes + statistics.IdleBytes);
}

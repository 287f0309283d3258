using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>Memory is in one rent at a time, and in the next one after it was returned.</summary>
public unsafe class AliasingTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Images_that_are_rented_at_the_same_time_share_no_memory(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        var buffers = new List<PixelBuffer<uint>>();
        for (int round = 0; round < 3; round++)
        {
            while (buffers.Count < 8)
            {
                buffers.Add(TierSizes.Rent<uint>(allocator, tier));
            }

            for (int i = 0; i < buffers.Count; i++)
            {
                PixelPattern.Fill(buffers[i], (byte)((16 * round) + i));
            }

            for (int i = 0; i < buffers.Count; i++)
            {
                PixelPattern.AssertEveryByte(buffers[i], (byte)((16 * round) + i));
            }

            // Every other one is replaced in the next round.
            for (int i = buffers.Count - 1; i >= 0; i -= 2)
            {
                buffers[i].Dispose();
                buffers.RemoveAt(i);
            }
        }

        buffers.ForEach(buffer => buffer.Dispose());
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Images_of_all_tiers_rented_in_any_order_share_no_memory()
    {
        const int Seed = 11;
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelAllocator slabs = TierSizes.Create(MemoryTier.Slab);
        var random = new Random(Seed);
        var rented = new List<(PixelBuffer<uint> Buffer, byte Value)>();
        for (int step = 0; step < 600; step++)
        {
            if (rented.Count == 24 || (rented.Count > 0 && random.Next(3) == 0))
            {
                int i = random.Next(rented.Count);
                PixelPattern.AssertEveryByte(rented[i].Buffer, rented[i].Value);
                rented[i].Buffer.Dispose();
                rented.RemoveAt(i);
                continue;
            }

            var tier = (MemoryTier)random.Next((int)MemoryTier.VeryLongRows);
            PixelBuffer<uint> buffer = TierSizes.Rent<uint>(tier == MemoryTier.Slab ? slabs : allocator, tier);
            PixelPattern.Fill(buffer, (byte)step);
            rented.Add((buffer, (byte)step));
        }

        foreach ((PixelBuffer<uint> buffer, byte value) in rented)
        {
            PixelPattern.AssertEveryByte(buffer, value);
            buffer.Dispose();
        }

        TierSizes.AssertQuiet(allocator);
        TierSizes.AssertQuiet(slabs);
    }

    [Theory]
    [InlineData(MemoryTier.Slab)]
    [InlineData(MemoryTier.OneBlock)]
    [InlineData(MemoryTier.SeveralBlocks)]
    [InlineData(MemoryTier.ContiguousOneBlock)]
    [InlineData(MemoryTier.ContiguousLarge)]
    [InlineData(MemoryTier.VeryLongRows)]
    public void The_same_blocks_come_back_after_they_were_returned(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        HashSet<nint> first = RentAndReturn(allocator, tier);
        PixelPoolStatistics before = allocator.GetStatistics();
        for (int i = 0; i < 5; i++)
        {
            Assert.True(first.SetEquals(RentAndReturn(allocator, tier)));
        }

        Assert.Equal(before.AllocatedBytes, allocator.GetStatistics().AllocatedBytes);
    }

    [Fact]
    public void An_array_goes_back_to_its_pool_once()
    {
        var arrays = new DirtyArrayPool();
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.Array);
        options.ArrayPool = arrays;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, MemoryTier.Array);
        PixelBuffer<uint> view = buffer.View(0, 0, 1, 1);
        Assert.Equal(1, arrays.Outstanding);

        buffer.Dispose();
        buffer.Dispose();
        Assert.Equal(1, arrays.Outstanding);

        view.Dispose();
        view.Dispose();
        Assert.Equal(0, arrays.Outstanding);
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_second_dispose_does_not_end_the_next_rent()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<byte> first = TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock);
        first.Dispose();
        using PixelBuffer<byte> second = TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock);
        PixelPattern.Write(second);
        long rented = allocator.GetStatistics().RentedBytes;

        first.Dispose();
        Assert.Equal(rented, allocator.GetStatistics().RentedBytes);
        Assert.Throws<ObjectDisposedException>(() => first[0, 0]);
        PixelPattern.AssertHolds(second);
    }

    [Fact]
    public void A_block_of_many_small_pieces_gives_each_of_them_once()
    {
        // More pieces than 16 bits can count. Only the first page of the block is touched.
        const int Pieces = 70_000;
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = 512 << 20,
            SmallBuffers = SmallBufferStrategy.Slab,
            MaxPooledBytes = 512 << 20,
            TrimPolicy = TrimPolicy.None,
        });
        var addresses = new HashSet<nint>();
        using var scope = new RentScope(allocator);
        for (int i = 0; i < Pieces; i++)
        {
            fixed (byte* piece = scope.Rent<byte>(4096, 1).DangerousGetRowSpan(0))
            {
                Assert.True(addresses.Add((nint)piece), $"Piece {i} is rented already.");
            }
        }
    }

    private static HashSet<nint> RentAndReturn(PixelAllocator allocator, MemoryTier tier)
    {
        var blocks = new HashSet<nint>();
        using PixelBuffer<ushort> buffer = TierSizes.Rent<ushort>(allocator, tier);
        for (int y = 0; y < buffer.Height; y += buffer.RowsPerBlock)
        {
            fixed (ushort* row = buffer.DangerousGetRowSpan(y))
            {
                Assert.True(blocks.Add((nint)row));
            }
        }

        return blocks;
    }
}

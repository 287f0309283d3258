using System.Buffers;
using System.Runtime.InteropServices;
using PixelPool.Native;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>With ClearOnReturn no pixel outlives its image: looked at in the memory itself, behind the allocator's back.</summary>
public unsafe class ClearOnReturnTests
{
    private const byte Secret = 0x5E;

    [Theory]
    [InlineData(MemoryTier.Slab, false)]
    [InlineData(MemoryTier.OneBlock, false)]
    [InlineData(MemoryTier.OneBlock, true)]
    [InlineData(MemoryTier.SeveralBlocks, false)]
    [InlineData(MemoryTier.SeveralBlocks, true)]
    [InlineData(MemoryTier.ContiguousOneBlock, true)]
    public void Idle_memory_has_no_old_pixels(MemoryTier tier, bool garbage)
    {
        using PixelAllocator allocator = Create(tier, out _, garbage ? new FakeBlockSource(zeroed: false) : null);
        List<nint> rows;
        using (PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, tier))
        {
            PixelPattern.Fill(buffer, Secret);
            rows = RowsOf(buffer);
        }

        // The blocks are idle in the pool, and still mapped.
        Assert.NotEqual(0, allocator.GetStatistics().IdleBytes);
        AssertNoSecret(rows, TierSizes.Size<uint>(tier).Width * sizeof(uint));
    }

    [Theory]
    [InlineData(MemoryTier.OneBlock)]
    [InlineData(MemoryTier.SeveralBlocks)]
    [InlineData(MemoryTier.UnpooledPieces)]
    [InlineData(MemoryTier.ContiguousLarge)]
    [InlineData(MemoryTier.LongRows)]
    [InlineData(MemoryTier.UnpooledContiguous)]
    public void Memory_that_goes_back_to_the_system_has_no_old_pixels(MemoryTier tier)
    {
        using var source = new FakeBlockSource(zeroed: false);
        using PixelAllocator allocator = Create(tier, out _, source);
        PixelBuffer<Rgb24> buffer = TierSizes.Rent<Rgb24>(allocator, tier);
        PixelPattern.Fill(buffer, Secret);
        List<nint> rows = RowsOf(buffer);
        int rowBytes = buffer.Width * 3;

        // All pieces are looked at before the first one goes.
        int freed = 0;
        source.OnFree = _ =>
        {
            if (freed++ == 0)
            {
                AssertNoSecret(rows, rowBytes);
            }
        };

        // Returned after the pool was closed: straight to the system.
        allocator.Dispose();
        int pieces = buffer.BlockCount;
        buffer.Dispose();
        Assert.Equal(pieces, freed);
        source.AssertAllFreed();
    }

    [Fact]
    public void Arrays_that_go_back_to_the_ArrayPool_have_no_old_pixels()
    {
        using PixelAllocator allocator = Create(MemoryTier.Array, out DirtyArrayPool arrays);
        using (PixelBuffer<Rgb24> buffer = TierSizes.Rent<Rgb24>(allocator, MemoryTier.Array))
        {
            PixelPattern.Fill(buffer, Secret);
        }

        Assert.Equal(0, arrays.Outstanding);
        Assert.DoesNotContain(Secret, arrays.LastReturned!);
    }

    [Theory]
    [InlineData(MemoryTier.Slab)]
    [InlineData(MemoryTier.OneBlock)]
    [InlineData(MemoryTier.SeveralBlocks)]
    [InlineData(MemoryTier.LongRows)]
    [InlineData(MemoryTier.ContiguousLarge)]
    [InlineData(MemoryTier.UnpooledContiguous)]
    public void The_next_image_sees_no_old_pixels_though_it_did_not_ask(MemoryTier tier)
    {
        Assert.SkipUnless(BlockSource.System.IsZeroed, "Fresh memory is not zero to begin with.");
        using PixelAllocator allocator = Create(tier, out _);
        for (int i = 0; i < 10; i++)
        {
            using PixelBuffer<ulong> buffer = TierSizes.Rent<ulong>(allocator, tier);
            PixelPattern.AssertEveryByte(buffer, 0);
            PixelPattern.Fill(buffer, Secret);
        }
    }

    [Fact]
    public void Memory_is_cleared_only_when_its_last_user_is_done()
    {
        using PixelAllocator allocator = Create(MemoryTier.OneBlock, out _);
        PixelBuffer<byte> buffer = TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock);
        PixelPattern.Fill(buffer, Secret);
        PinnedPixels pin = buffer.Pin();
        var pixels = new ReadOnlySpan<byte>(pin.Pointer, pin.Width * pin.Height);
        buffer.Dispose();
        Assert.False(pixels.ContainsAnyExcept(Secret));

        pin.Dispose();
        Assert.False(pixels.ContainsAnyExcept((byte)0));
    }

    [Fact]
    public void Without_the_option_the_memory_is_left_as_it_is()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using (PixelBuffer<byte> first = TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock))
        {
            PixelPattern.Fill(first, Secret);
        }

        using PixelBuffer<byte> second = TierSizes.Rent<byte>(allocator, MemoryTier.OneBlock);
        PixelPattern.AssertEveryByte(second, Secret);
    }

    [Fact]
    public void The_collector_leaves_no_copy_of_pixels_behind()
    {
        // What it moves it copies, and whoever gets the old place as it is reads the pixels: as pools of arrays hand arrays out.
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ClearOnReturn = true, ArrayPool = new FreshArrayPool() });
        ulong secret = (ulong)Random.Shared.NextInt64() | 1;
        int found = 0;
        for (int round = 0; round < 10; round++)
        {
            var images = new List<PixelBuffer<ulong>>();
            for (int i = 0; i < 200; i++)
            {
                GC.KeepAlive(new byte[1000]);
                images.Add(allocator.Rent<ulong>(40, 41));
                images[i].Fill(secret);
            }

            GC.Collect(0, GCCollectionMode.Forced, blocking: true, compacting: true);
            images.ForEach(static image => image.Dispose());
            for (int i = 0; i < 300; i++)
            {
                found += GC.AllocateUninitializedArray<ulong>(40 * 41).AsSpan().Count(secret);
            }
        }

        Assert.Equal(0, found);
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Bare_blocks_are_cleared_when_they_are_returned()
    {
        using var pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions
        {
            BlockBytes = TierSizes.BlockBytes,
            SmallBufferThresholdBytes = 0,
            ClearOnReturn = true,
            TrimPolicy = TrimPolicy.None,
        });
        Span<nint> blocks = stackalloc nint[3];
        Assert.True(pool.TryRent(blocks));
        foreach (nint block in blocks)
        {
            NativeMemory.Fill((void*)block, (nuint)pool.BlockBytes, Secret);
        }

        pool.Return(blocks);
        foreach (nint block in blocks)
        {
            Assert.False(new ReadOnlySpan<byte>((void*)block, pool.BlockBytes).ContainsAnyExcept((byte)0));
        }
    }

    private static List<nint> RowsOf<TPixel>(PixelBuffer<TPixel> buffer)
        where TPixel : unmanaged
    {
        List<nint> rows = [];
        for (int y = 0; y < buffer.Height; y++)
        {
            fixed (TPixel* row = buffer.DangerousGetRowSpan(y))
            {
                rows.Add((nint)row);
            }
        }

        return rows;
    }

    private static void AssertNoSecret(List<nint> rows, int rowBytes)
    {
        foreach (nint row in rows)
        {
            Assert.False(new ReadOnlySpan<byte>((void*)row, rowBytes).Contains(Secret));
        }
    }

    private static PixelAllocator Create(MemoryTier tier, out DirtyArrayPool arrays, FakeBlockSource? source = null)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.ClearOnReturn = true;
        options.ArrayPool = arrays = new DirtyArrayPool();
        options.BlockSource = source;
        return PixelAllocator.Create(options);
    }

    private sealed class FreshArrayPool : ArrayPool<byte>
    {
        public override byte[] Rent(int minimumLength) => GC.AllocateUninitializedArray<byte>(minimumLength);

        public override void Return(byte[] array, bool clearArray = false)
        {
        }
    }
}

using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Allocation;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers;

/// <summary>Pointers for native code.</summary>
public unsafe class PinTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    public static TheoryData<MemoryTier> ContiguousTiers =>
    [
        MemoryTier.Array, MemoryTier.Slab, MemoryTier.OneBlock, MemoryTier.ContiguousSmall, MemoryTier.ContiguousOneBlock, MemoryTier.ContiguousLarge,
        MemoryTier.LongRows, MemoryTier.VeryLongRows, MemoryTier.UnpooledContiguous, MemoryTier.UnpooledLongRows,
    ];

    [Theory]
    [MemberData(nameof(ContiguousTiers))]
    public void A_pin_shows_all_pixels_with_their_stride(MemoryTier tier)
    {
        foreach (int alignment in (int[])[1, 4, 64])
        {
            PixelAllocatorOptions options = TierSizes.Options(tier);
            options.RowAlignmentBytes = alignment;
            using PixelAllocator allocator = PixelAllocator.Create(options);
            using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier, rowAlignmentBytes: alignment);
            PixelPattern.Write(image);
            using PinnedPixels pin = image.Pin();
            Assert.Equal((image.Width, image.Height, image.Stride), (pin.Width, pin.Height, pin.Stride));
            Assert.Equal(0, pin.Address % alignment);
            Assert.Equal(pin.Address, (nint)pin.Pointer);
            for (int y = 0; y < pin.Height; y++)
            {
                var row = new Span<Rgb24>((byte*)pin.Pointer + ((nint)y * pin.Stride), pin.Width);
                Assert.True(row == image.DangerousGetRowSpan(y));
                row[pin.Width - 1] = new Rgb24(1, 2, (byte)y);
                Assert.Equal(new Rgb24(1, 2, (byte)y), image[pin.Width - 1, y]);
            }
        }
    }

    [Fact]
    public void Pins_that_begin_at_once_share_one_address()
    {
        const int Threads = 4;
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        for (int round = 0; round < 50; round++)
        {
            using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.Array);
            var pins = new PinnedPixels[Threads];
            using var together = new Barrier(Threads);
            Simultaneously.Run(Threads, thread =>
            {
                together.SignalAndWait();
                pins[thread] = image.Pin();
            });
            image[0, 0] = (uint)round;
            Assert.Single(pins.Select(static pin => (nint)pin.Pointer).Distinct());
            foreach (PinnedPixels pin in pins)
            {
                Assert.Equal((uint)round, *(uint*)pin.Pointer);
                pin.Dispose();
            }
        }
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Every_row_can_be_pinned_in_every_block(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<ushort> image = TierSizes.Rent<ushort>(allocator, tier))
        {
            PixelPattern.Write(image);
            for (int y = 0; y < image.Height; y++)
            {
                using PixelBuffer<ushort> view = image.View(0, y, image.Width, 1);
                using PinnedPixels pin = view.Pin();
                PixelPattern.AssertSame<ushort>(PixelPattern.Expected<ushort>(image.Width, 1, 0, y), new Span<ushort>(pin.Pointer, pin.Width), y);
                using PixelBuffer<ushort> last = image.View(image.Width - 1, y, 1, 1);
                using PinnedPixels pixel = last.Pin();
                Assert.True((ushort*)pixel.Pointer == (ushort*)pin.Pointer + image.Width - 1);
                Assert.Equal((1, 1, image.Stride), (pixel.Width, pixel.Height, pixel.Stride));
            }
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [InlineData(MemoryTier.SeveralBlocks)]
    [InlineData(MemoryTier.UnpooledPieces)]
    public void Pixels_in_several_pieces_have_no_pointer(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        Assert.Throws<InvalidMemoryOperationException>(image.Pin);
        using (PixelBuffer<uint> across = image.View(0, image.RowsPerBlock - 1, 1, 2))
        {
            Assert.Throws<InvalidMemoryOperationException>(across.Pin);
        }

        // The failure held nothing.
        image.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_view_inside_one_block_of_several_can_be_pinned()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> image = allocator.Rent<byte>(1000, 300);
        PixelPattern.Write(image);
        using PixelBuffer<byte> view = image.View(100, 2 * image.RowsPerBlock, 50, image.RowsPerBlock);
        using PinnedPixels pin = view.Pin();
        for (int y = 0; y < pin.Height; y++)
        {
            PixelPattern.AssertSame<byte>(
                PixelPattern.Expected<byte>(50, 1, 100, (2 * image.RowsPerBlock) + y), new Span<byte>((byte*)pin.Pointer + (y * pin.Stride), 50), y);
        }
    }

    [Theory]
    [MemberData(nameof(ContiguousTiers))]
    public void A_pin_outlives_the_disposal_of_its_image(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        PixelPattern.Write(image);
        PinnedPixels pin = image.Pin();
        image.Dispose();
        using (PixelBuffer<uint> next = TierSizes.Rent<uint>(allocator, tier))
        {
            PixelPattern.Fill(next, 0xEE);
        }

        var pixels = new Span<uint>(pin.Pointer, pin.Width * pin.Height);
        PixelPattern.AssertSame<uint>(PixelPattern.Expected<uint>(pin.Width, pin.Height), pixels);
        pixels.Fill(1);
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);

        pin.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(ContiguousTiers))]
    public void An_image_can_be_pinned_twice_released_and_pinned_again(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        PinnedPixels first = image.Pin();
        PinnedPixels second = image.Pin();
        void* address = first.Pointer;
        Assert.True(address == second.Pointer);
        first.Dispose();
        first.Dispose();
        *(uint*)second.Pointer = 42;
        second.Dispose();

        PinnedPixels third = image.Pin();
        Assert.True(address == third.Pointer);
        Assert.Equal(42u, *(uint*)third.Pointer);
        third.Dispose();
        Assert.Equal(42u, image[0, 0]);
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);

        image.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_disposed_pin_has_a_size_but_no_pointer()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        PinnedPixels pin = image.Pin();
        pin.Dispose();
        Assert.Throws<ObjectDisposedException>(() => (nint)pin.Pointer);
        Assert.Throws<ObjectDisposedException>(() => pin.Address);
        Assert.Equal((image.Width, image.Height, image.Stride), (pin.Width, pin.Height, pin.Stride));
    }

    [Fact]
    public void A_pin_disposed_by_many_threads_is_released_once()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        for (int i = 0; i < 200; i++)
        {
            PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
            PinnedPixels pin = image.Pin();
            Parallel.For(0, 8, _ => pin.Dispose());
            Assert.Equal(TierSizes.BlockBytes, allocator.GetStatistics().RentedBytes);
            Parallel.For(0, 8, _ => image.Dispose());
            Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        }
    }

    [Fact]
    public void A_pinned_array_stays_where_it_is_when_the_heap_is_compacted()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.Array);
        options.ArrayPool = new DirtyArrayPool();
        using PixelAllocator allocator = PixelAllocator.Create(options);
        for (int i = 0; i < 20; i++)
        {
            // A hole in front of it, so that there is somewhere to move to.
            object[] holes = [.. Enumerable.Range(0, 100).Select(_ => new byte[500])];
            PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.Array);
            PixelPattern.Write(image);
            PinnedPixels pin = image.Pin();
            GC.KeepAlive(holes);
            holes = [];
            Compact();
            fixed (uint* now = image.DangerousGetRowSpan(0))
            {
                Assert.True(now == pin.Pointer);
            }

            // Also when the image is gone and its array is held by the pin alone.
            image.Dispose();
            Compact();
            PixelPattern.AssertSame<uint>(PixelPattern.Expected<uint>(pin.Width, pin.Height), new Span<uint>(pin.Pointer, pin.Width * pin.Height));
            pin.Dispose();
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(ContiguousTiers))]
    public void A_handle_of_the_single_memory_pins_like_a_pin(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        PixelPattern.Write(image);
        Assert.True(image.DangerousTryGetSinglePixelMemory(out Memory<uint> memory));
        MemoryHandle first = memory.Pin();
        MemoryHandle second = memory[5..].Pin();
        Assert.True((uint*)first.Pointer + 5 == (uint*)second.Pointer);
        using (PinnedPixels pin = image.Pin())
        {
            Assert.True(pin.Pointer == first.Pointer);
        }

        image.Dispose();
        first.Dispose();
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        Assert.Equal(PixelPattern.Value<uint>(5, 0), *(uint*)second.Pointer);
        second.Dispose();
        second.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    /// <summary>Pinned by a user, or for as long as it is rented, so that it can be cleared.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_pinned_array_is_let_go_when_it_was_returned(bool clears)
    {
        var arrays = new RecyclingArrayPool { KeepsIdle = false };
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.Array);
        options.ArrayPool = arrays;
        options.ClearOnReturn = clears;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        PinAndReturn(allocator);
        allocator.Trim();
        Collector.CollectAll();
        Assert.Equal(0, arrays.RentedCount);
        Assert.Null(arrays.LastRented);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void PinAndReturn(PixelAllocator allocator)
    {
        using PixelBuffer<byte> image = TierSizes.Rent<byte>(allocator, MemoryTier.Array);
        using PinnedPixels pin = image.Pin();
        *(byte*)pin.Pointer = 1;
    }

    private static void Compact() => GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
}

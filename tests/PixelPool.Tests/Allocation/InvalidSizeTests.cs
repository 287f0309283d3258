using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>Sizes and options that cannot be served: the documented exception, and nothing else happened.</summary>
public class InvalidSizeTests
{
    [Theory]
    [InlineData(0, 1, "width")]
    [InlineData(-1, 1, "width")]
    [InlineData(int.MinValue, 1, "width")]
    [InlineData(1, 0, "height")]
    [InlineData(1, -1, "height")]
    [InlineData(1, int.MinValue, "height")]
    [InlineData(0, 0, "width")]
    [InlineData(-1, -1, "width")]
    [InlineData(int.MaxValue, 0, "height")]
    [InlineData(0, int.MaxValue, "width")]
    public void Dimensions_below_one_are_out_of_range(int width, int height, string parameter)
    {
        AssertUnchanged(allocator =>
        {
            Assert.Equal(parameter, Assert.Throws<ArgumentOutOfRangeException>(() => allocator.Rent<uint>(width, height)).ParamName);
            Assert.Equal(parameter, Assert.Throws<ArgumentOutOfRangeException>(() => allocator.TryRent<uint>(width, height, out _)).ParamName);
            using var scope = new RentScope(allocator);
            Assert.Equal(parameter, Assert.Throws<ArgumentOutOfRangeException>(() => scope.Rent<uint>(width, height)).ParamName);
        });
    }

    [Theory]
    // Rows of more than 2 GiB.
    [InlineData(16, int.MaxValue, 1)]
    [InlineData(16, 1 << 27, 1)]
    [InlineData(8, 1 << 28, 1)]
    [InlineData(4, 1 << 29, 1)]
    [InlineData(3, 715_827_883, 1)]
    [InlineData(2, 1 << 30, 1)]
    [InlineData(2, int.MaxValue, 1)]
    // Products that are negative, zero or small when they overflow 32 bits.
    [InlineData(4, 1 << 30, 1 << 30)]
    [InlineData(4, (1 << 30) + 1, 1)]
    [InlineData(16, (1 << 28) + 1, 3)]
    // More than an address space.
    [InlineData(1, int.MaxValue, int.MaxValue)]
    [InlineData(1, 1 << 30, 1 << 17)]
    [InlineData(16, 1 << 26, 1 << 17)]
    [InlineData(16, int.MaxValue, int.MaxValue)]
    [InlineData(3, 500_000_000, int.MaxValue)]
    [InlineData(1, 40_000, int.MaxValue)]
    public void Sizes_that_overflow_are_invalid(int pixelBytes, int width, int height)
    {
        foreach (AllocationOptions options in (AllocationOptions[])[AllocationOptions.None, AllocationOptions.Contiguous, AllocationOptions.Clean])
        {
            PixelTypes.Call(pixelBytes, RentOverflowing<byte>, (width, height, options));
        }
    }

    [Theory]
    [InlineData(int.MaxValue, 2)]
    [InlineData(int.MaxValue - 4000, 4096)]
    public void Rows_that_overflow_when_they_are_aligned_are_invalid(int width, int alignment)
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        options.RowAlignmentBytes = alignment;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Throws<InvalidMemoryOperationException>(() => allocator.Rent<byte>(width, 1));
        Assert.Equal(before, allocator.GetStatistics());
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(-4096)]
    [InlineData(int.MinValue)]
    public void Negative_lengths_are_out_of_range(int length)
    {
        AssertUnchanged(allocator =>
        {
            Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.Allocate<byte>(length)).ParamName);
            Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.Allocate<UInt128>(length, AllocationOptions.Clean)).ParamName);
            using var scope = new RentScope(allocator);
            Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => scope.Allocate<byte>(length)).ParamName);
        });
    }

    [Fact]
    public void Elements_that_exceed_the_address_space_are_invalid()
    {
        AssertUnchanged(allocator =>
            Assert.Throws<InvalidMemoryOperationException>(() => allocator.Allocate<HugeElement>(int.MaxValue)));
    }

    [Fact]
    public void Sizes_that_the_system_does_not_have_run_out_of_memory_and_change_nothing()
    {
        using var system = new TestSystem();
        system.Source.MaxLiveBytes = 1 << 20;
        using PixelAllocator allocator = system.CreateAllocator();
        using PixelBuffer<byte> held = allocator.Rent<byte>(200, 200);
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Throws<OutOfMemoryException>(() => allocator.Allocate<UInt128>(int.MaxValue));
        Assert.Throws<OutOfMemoryException>(() => allocator.Allocate<byte>(int.MaxValue));
        Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(int.MaxValue, 1));
        Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(1, int.MaxValue));
        Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(1, int.MaxValue, AllocationOptions.Contiguous));
        Assert.Equal(before, allocator.GetStatistics());
        Assert.Equal(1, system.Source.LivePieces);
    }

    [Theory]
    [InlineData((AllocationOptions)4)]
    [InlineData((AllocationOptions)8)]
    [InlineData((AllocationOptions)(1 << 30))]
    [InlineData((AllocationOptions)(-1))]
    [InlineData((AllocationOptions)int.MinValue)]
    [InlineData(AllocationOptions.Clean | AllocationOptions.Contiguous | (AllocationOptions)4)]
    public void Unknown_options_are_out_of_range(AllocationOptions options)
    {
        AssertUnchanged(allocator =>
        {
            Assert.Equal("options", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.Rent<byte>(1, 1, options)).ParamName);
            Assert.Equal("options", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.TryRent<byte>(1, 1, out _, options)).ParamName);
            Assert.Equal("options", Assert.Throws<ArgumentOutOfRangeException>(() => allocator.Allocate<byte>(1, options)).ParamName);
        });
    }

    [Theory]
    [InlineData(nameof(PixelAllocatorOptions.BlockBytes))]
    [InlineData(nameof(PixelAllocatorOptions.SmallBufferThresholdBytes))]
    [InlineData(nameof(PixelAllocatorOptions.SmallBuffers))]
    [InlineData(nameof(PixelAllocatorOptions.UnpooledBlockBytes))]
    [InlineData(nameof(PixelAllocatorOptions.MaxPooledBytes))]
    [InlineData(nameof(PixelAllocatorOptions.MaxRentedBytes))]
    [InlineData(nameof(PixelAllocatorOptions.RowAlignmentBytes))]
    public void Options_outside_of_their_range_are_named(string option)
    {
        foreach (Action<PixelAllocatorOptions> spoil in s_invalid[option])
        {
            var options = new PixelAllocatorOptions();
            spoil(options);
            Assert.Equal(option, Assert.Throws<ArgumentOutOfRangeException>(() => PixelAllocator.Create(options)).ParamName);
            Assert.Equal(option, Assert.Throws<ArgumentOutOfRangeException>(() => new UniformUnmanagedMemoryPool(options)).ParamName);
        }
    }

    [Fact]
    public void Options_must_not_be_null()
    {
        AssertNull(nameof(PixelAllocatorOptions.ArrayPool), options => options.ArrayPool = null!);
        AssertNull(nameof(PixelAllocatorOptions.TrimPolicy), options => options.TrimPolicy = null!);
        AssertNull(nameof(PixelAllocatorOptions.TimeProvider), options => options.TimeProvider = null!);
        AssertNull(nameof(PixelAllocatorOptions.MemoryPressure), options => options.MemoryPressure = null!);

        static void AssertNull(string option, Action<PixelAllocatorOptions> spoil)
        {
            var options = new PixelAllocatorOptions();
            spoil(options);
            Assert.Equal(option, Assert.Throws<ArgumentNullException>(() => PixelAllocator.Create(options)).ParamName);
        }
    }

    [Fact]
    public void Options_are_copied()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        using PixelAllocator allocator = PixelAllocator.Create(options);
        options.SmallBufferThresholdBytes = 0;
        options.BlockBytes = 3;
        options.RowAlignmentBytes = 4096;
        using PixelBuffer<byte> buffer = allocator.Rent<byte>(7, 7);
        Assert.Equal(7, buffer.Stride);
        Assert.Equal(1, allocator.GetStatistics().SmallRents);
    }

    private static readonly Dictionary<string, Action<PixelAllocatorOptions>[]> s_invalid = new()
    {
        [nameof(PixelAllocatorOptions.BlockBytes)] =
        [
            o => o.BlockBytes = 0, o => o.BlockBytes = -1, o => o.BlockBytes = int.MinValue, o => o.BlockBytes = 32 << 10,
            o => o.BlockBytes = (4 << 20) + 1, o => o.BlockBytes = 3 << 20, o => o.BlockBytes = int.MaxValue,
        ],
        [nameof(PixelAllocatorOptions.SmallBufferThresholdBytes)] =
            [o => o.SmallBufferThresholdBytes = -1, o => o.SmallBufferThresholdBytes = int.MinValue],
        [nameof(PixelAllocatorOptions.SmallBuffers)] = [o => o.SmallBuffers = (SmallBufferStrategy)3, o => o.SmallBuffers = (SmallBufferStrategy)(-1)],
        [nameof(PixelAllocatorOptions.UnpooledBlockBytes)] =
        [
            o => o.UnpooledBlockBytes = 0, o => o.UnpooledBlockBytes = -1, o => o.UnpooledBlockBytes = 65_535,
        ],
        [nameof(PixelAllocatorOptions.MaxPooledBytes)] = [o => o.MaxPooledBytes = -1, o => o.MaxPooledBytes = long.MinValue],
        [nameof(PixelAllocatorOptions.MaxRentedBytes)] = [o => o.MaxRentedBytes = 0, o => o.MaxRentedBytes = -1],
        [nameof(PixelAllocatorOptions.RowAlignmentBytes)] =
        [
            o => o.RowAlignmentBytes = 0, o => o.RowAlignmentBytes = -1, o => o.RowAlignmentBytes = 3,
            o => o.RowAlignmentBytes = 8192, o => o.RowAlignmentBytes = int.MinValue,
        ],
    };

    private static void RentOverflowing<TPixel>((int Width, int Height, AllocationOptions Options) test)
        where TPixel : unmanaged =>
        AssertUnchanged(allocator =>
        {
            Assert.Throws<InvalidMemoryOperationException>(() => allocator.Rent<TPixel>(test.Width, test.Height, test.Options));
            Assert.Throws<InvalidMemoryOperationException>(() => allocator.TryRent<TPixel>(test.Width, test.Height, out _, test.Options));
        });

    /// <summary>The table of its blocks alone would be gigabytes.</summary>
    [Fact]
    public void What_is_larger_than_all_memory_leaves_no_table_behind()
    {
        Assert.SkipUnless(IntPtr.Size == 8, "Sizes of 64 bits.");
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { UnpooledBlockBytes = 64 << 10, MaxPooledBytes = 0 });
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<OutOfMemoryException>(() => allocator.Rent<ulong>(1 << 13, 1 << 29));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    // Before and after, the allocator serves what it can, and its books say the same.
    private static void AssertUnchanged(Action<PixelAllocator> fail)
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.SeveralBlocks);
        options.MaxRentedBytes = 10 * TierSizes.BlockBytes;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks).Dispose();
        using PixelBuffer<uint> held = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        PixelPoolStatistics before = allocator.GetStatistics();
        fail(allocator);
        Assert.Equal(before, allocator.GetStatistics());

        // All the budget is still there.
        allocator.Rent<byte>(TierSizes.BlockBytes, 9).Dispose();
        TierSizes.AssertBalanced(allocator.GetStatistics());
    }

    // 64 KiB: 2³¹ of them are 2⁴⁷ bytes.
    private unsafe struct HugeElement
    {
#pragma warning disable CS0169, CS0649, CA1823, IDE0044, IDE0051 // only its size matters
        private fixed byte _bytes[64 << 10];
#pragma warning restore CS0169, CS0649, CA1823, IDE0044, IDE0051
    }
}

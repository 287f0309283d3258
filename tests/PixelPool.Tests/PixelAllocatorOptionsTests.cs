using System.Buffers;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tiers;

namespace PixelPool.Tests;

public class PixelAllocatorOptionsTests
{
    /// <summary>The option and a value that is out of its range.</summary>
    public static TheoryData<string, object> OutOfRange
    {
        get
        {
            var data = new TheoryData<string, object>();
            Add(nameof(PixelAllocatorOptions.BlockBytes), int.MinValue, -1, 0, 1, 3, 4096, 32 << 10, (64 << 10) - 1, (64 << 10) + 1, 3 << 20, int.MaxValue);
            Add(nameof(PixelAllocatorOptions.SmallBufferThresholdBytes), int.MinValue, -1);
            Add(nameof(PixelAllocatorOptions.SmallBuffers), (SmallBufferStrategy)(-1), (SmallBufferStrategy)3, (SmallBufferStrategy)int.MaxValue);
            Add(nameof(PixelAllocatorOptions.UnpooledBlockBytes), int.MinValue, -1, 0, (64 << 10) - 1);
            Add(nameof(PixelAllocatorOptions.MaxPooledBytes), -1L, long.MinValue);
            Add(nameof(PixelAllocatorOptions.MaxRentedBytes), 0L, -1L, long.MinValue);
            Add(nameof(PixelAllocatorOptions.Name), string.Empty, " ");
            Add(nameof(PixelAllocatorOptions.RowAlignmentBytes), int.MinValue, -1, 0, 3, 48, 4095, 8192, int.MaxValue);
            return data;

            void Add(string option, params object[] values) => Array.ForEach(values, value => data.Add(option, value));
        }
    }

    /// <summary>The option and a value at the edge of its range.</summary>
    public static TheoryData<string, object?> InRange
    {
        get
        {
            var data = new TheoryData<string, object?>();
            Add(nameof(PixelAllocatorOptions.BlockBytes), 1 << 20, 1 << 30);
            Add(nameof(PixelAllocatorOptions.SmallBufferThresholdBytes), 0, 1, 4 << 20, int.MaxValue);
            Add(nameof(PixelAllocatorOptions.SmallBuffers), SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab, SmallBufferStrategy.None);
            Add(nameof(PixelAllocatorOptions.UnpooledBlockBytes), 64 << 10, (64 << 10) + 1, int.MaxValue);
            Add(nameof(PixelAllocatorOptions.MaxPooledBytes), null, 0L, long.MaxValue);
            Add(nameof(PixelAllocatorOptions.MaxRentedBytes), null, 1L, long.MaxValue);
            Add(nameof(PixelAllocatorOptions.RowAlignmentBytes), 1, 2, 64, 4096);
            Add(nameof(PixelAllocatorOptions.Name), null, "thumbnails");
            return data;

            void Add(string option, params object?[] values) => Array.ForEach(values, value => data.Add(option, value));
        }
    }

    [Theory]
    [MemberData(nameof(OutOfRange))]
    public void Value_out_of_range_is_refused_when_the_allocator_is_created(string option, object value)
    {
        PixelAllocatorOptions options = With(option, value);
        var exception = Assert.Throws<ArgumentOutOfRangeException>(() => PixelAllocator.Create(options));
        Assert.Equal(option, exception.ParamName);
        Assert.Equal(value, exception.ActualValue);
        Assert.Contains($"{option} must be ", exception.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentOutOfRangeException>(() => new UniformUnmanagedMemoryPool(options));
    }

    [Theory]
    [MemberData(nameof(InRange))]
    public void Value_in_range_is_accepted(string option, object? value)
    {
        PixelAllocatorOptions options = With(option, value);
        PixelAllocator.Create(options).Dispose();
        new UniformUnmanagedMemoryPool(options).Dispose();
    }

    [Theory]
    [InlineData(nameof(PixelAllocatorOptions.ArrayPool))]
    [InlineData(nameof(PixelAllocatorOptions.TrimPolicy))]
    [InlineData(nameof(PixelAllocatorOptions.TimeProvider))]
    [InlineData(nameof(PixelAllocatorOptions.MemoryPressure))]
    public void Null_is_refused(string option)
    {
        PixelAllocatorOptions options = With(option, null);
        Assert.Equal(option, Assert.Throws<ArgumentNullException>(() => PixelAllocator.Create(options)).ParamName);
        Assert.Equal(option, Assert.Throws<ArgumentNullException>(() => new UniformUnmanagedMemoryPool(options)).ParamName);
    }

    [Fact]
    public void What_is_larger_than_a_block_is_never_small()
    {
        using var system = new TestSystem();
        PixelAllocatorOptions options = system.Options(configure: static options => options.SmallBufferThresholdBytes = int.MaxValue);
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using (allocator.Rent<byte>(TestSystem.BlockBytes, 1))
        using (allocator.Rent<byte>(TestSystem.BlockBytes + 1, 1))
        using (allocator.Rent<byte>(TestSystem.BlockBytes, 2))
        {
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((1, 0, 2), (statistics.SmallRents, statistics.UnpooledRents, statistics.Misses));
        }

        Assert.Equal(int.MaxValue, options.SmallBufferThresholdBytes);
    }

    [Fact]
    public void Defaults_are_the_documented_ones()
    {
        var options = new PixelAllocatorOptions();
        Assert.Equal((4 << 20, 1 << 20, 32 << 20), (options.BlockBytes, options.SmallBufferThresholdBytes, options.UnpooledBlockBytes));
        Assert.Equal((null, null), (options.MaxPooledBytes, options.MaxRentedBytes));
        Assert.Equal((SmallBufferStrategy.ArrayPool, 1, true, false), (options.SmallBuffers, options.RowAlignmentBytes, options.UseHugePages, options.ClearOnReturn));
        Assert.Same(ArrayPool<byte>.Shared, options.ArrayPool);
        Assert.Same(TrimPolicy.Demand, options.TrimPolicy);
        Assert.Same(TimeProvider.System, options.TimeProvider);
        Assert.Same(MemoryPressureSource.System, options.MemoryPressure);
        Assert.False(options.PreferContiguousImageBuffers);
        Assert.Null(options.Name);
    }

    [Fact]
    public void Later_changes_have_no_effect()
    {
        using var system = new TestSystem();
        PixelAllocatorOptions options = system.Options(capacityInBlocks: 2, static options => options.MaxRentedBytes = 10 * TestSystem.BlockBytes);
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using var pool = new UniformUnmanagedMemoryPool(options);
        options.BlockBytes = 3;
        options.MaxPooledBytes = 0;
        options.MaxRentedBytes = 1;
        options.RowAlignmentBytes = 4096;
        options.SmallBufferThresholdBytes = 0;
        options.ClearOnReturn = true;
        options.PreferContiguousImageBuffers = true;
        options.BlockSource = null;
        options.ArrayPool = null!;

        using PixelBuffer<byte> image = allocator.Rent<byte>(TestSystem.BlockBytes, 2);
        using PixelBuffer<byte> small = allocator.Rent<byte>(10, 10);
        Assert.Equal((2, TestSystem.BlockBytes, 10), (image.BlockCount, image.Stride, small.Stride));
        Assert.Equal(2, system.Source.LivePieces);
        Assert.Equal((TestSystem.BlockBytes, 2 * TestSystem.BlockBytes), (pool.BlockBytes, pool.MaxPooledBytes));
        Assert.False(pool.Blocks.Guards.ClearsOnReturn);
    }

    [Fact]
    public void One_set_of_options_serves_several_allocators()
    {
        using var system = new TestSystem();
        PixelAllocatorOptions options = system.Options(capacityInBlocks: 1);
        using PixelAllocator one = PixelAllocator.Create(options);
        using PixelAllocator other = PixelAllocator.Create(options);
        using PixelBuffer<byte> a = one.Rent<byte>(TestSystem.BlockBytes, 1);
        using PixelBuffer<byte> b = other.Rent<byte>(TestSystem.BlockBytes, 1);
        Assert.Equal((1, 1), (one.GetStatistics().Misses, other.GetStatistics().Misses));
    }

    [Fact]
    public void Name_shows_in_the_text()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { Name = "thumbnails" });
        Assert.StartsWith("thumbnails: ", allocator.ToString(), StringComparison.Ordinal);
    }

    private static PixelAllocatorOptions With(string option, object? value)
    {
        var options = new PixelAllocatorOptions();
        typeof(PixelAllocatorOptions).GetProperty(option)!.SetValue(options, value);
        return options;
    }

    [Theory]
    [InlineData(8, 8, false)]
    [InlineData(16, 8, true)]
    [InlineData(4, 4, false)]
    [InlineData(8, 4, true)]
    public void Arrays_serve_while_rows_are_aligned_to_no_more_than_a_pointer(int alignment, int pointerBytes, bool slabs)
    {
        var options = new PixelAllocatorOptions { RowAlignmentBytes = alignment };
        Assert.Equal(slabs, options.UsesSlabs(pointerBytes));
        options.SmallBuffers = SmallBufferStrategy.None;
        Assert.False(options.UsesSlabs(pointerBytes));
        options.SmallBuffers = SmallBufferStrategy.Slab;
        Assert.True(options.UsesSlabs(pointerBytes));
    }
}

using PixelPool.Budgets;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

public class ContainerBudgetTests
{
    private const long MiB = 1 << 20;

    [Theory]
    [InlineData(256 * MiB, 96 * MiB)]
    [InlineData(512 * MiB, 352 * MiB)]
    [InlineData(640 * MiB, 480 * MiB)]
    [InlineData(1024 * MiB, 768 * MiB)]
    [InlineData(16384 * MiB, 12288 * MiB)]
    [InlineData(200 * MiB, 50 * MiB)]
    [InlineData(100 * MiB, 25 * MiB)]
    [InlineData(3, 1)]
    [InlineData(0, 352 * MiB)]
    [InlineData(-1, 352 * MiB)]
    [InlineData(long.MinValue, 352 * MiB)]
    [InlineData(long.MaxValue, 768L << 30)]
    public void A_quarter_but_at_least_160_MiB_stays_free(long available, long expected)
    {
        Assert.SkipWhen(IntPtr.Size == 4, "A 32-bit process has a fixed budget.");
        Assert.Equal(expected, ContainerBudget.Bytes(available));
    }

    [Fact]
    public void Both_limits_are_the_budget_and_the_source_is_asked_once()
    {
        var pressure = new ManualMemoryPressure { AvailableBytes = 512 * MiB };
        PixelAllocatorOptions options = PixelAllocatorOptions.ForContainer(pressure);
        pressure.AvailableBytes = 1024 * MiB;
        Assert.Equal((352 * MiB, 352 * MiB), (options.MaxRentedBytes, options.MaxPooledBytes));
        Assert.Same(pressure, options.MemoryPressure);

        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<byte> fits = allocator.Rent<byte>(4 << 20, 88);
        Assert.False(allocator.TryRent<byte>(4 << 20, 1, out _));
        Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(4 << 20, 1));
    }

    [Fact]
    public void The_system_is_asked_by_default()
    {
        PixelAllocatorOptions options = PixelAllocatorOptions.ForContainer();
        Assert.Same(MemoryPressureSource.System, options.MemoryPressure);
        Assert.Equal(ContainerBudget.Bytes(MemoryPressureSource.System.GetAvailableBytes()), options.MaxRentedBytes);
        Assert.Equal(options.MaxRentedBytes, options.MaxPooledBytes);
    }

    [Fact]
    public void A_source_there_must_be() =>
        Assert.Throws<ArgumentNullException>("memoryPressure", () => PixelAllocatorOptions.ForContainer(null!));
}

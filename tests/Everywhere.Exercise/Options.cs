using System.Buffers;

namespace Everywhere.Exercise;

/// <summary>What an application says of its allocators.</summary>
internal static class Options
{
    public static void AreChecked()
    {
        var options = new PixelAllocatorOptions { BlockBytes = 1, MaxRentedBytes = -1 };
        Checks.Equal(2, options.Validate().Count);
        Checks.Throws<ArgumentOutOfRangeException>(() => PixelAllocator.Create(options).Dispose());
        Checks.Equal(true, options.TrySet(nameof(PixelAllocatorOptions.BlockBytes), "1M", out _));
        Checks.Equal((false, 1 << 20), (options.TrySet(nameof(PixelAllocatorOptions.BlockBytes), "much", out string? problem), options.BlockBytes));
        Checks.Contains("size", problem);
        PixelAllocatorOptions container = PixelAllocatorOptions.ForContainer();
        Checks.True(container.MaxRentedBytes is null or > 0, "the budget of the container is nonsense");
        Checks.True(PixelAllocatorOptions.ForContainer(new SilentPressure()).MaxRentedBytes > 0, "a container without a limit has no budget");
        MemoryPressureSource system = MemoryPressureSource.System;
        Checks.True(system.GetAvailableBytes() > 0 || (!system.IsLimited && !system.IsHigh()), "there is pressure without a limit");
    }

    public static void AreKept()
    {
        ArrayPool<byte> arrays = ArrayPool<byte>.Create();
        var pressure = new SilentPressure();
        var options = new PixelAllocatorOptions
        {
            ArrayPool = arrays,
            MemoryPressure = pressure,
            TimeProvider = TimeProvider.System,
            TrimPolicy = TrimPolicy.Demand,
            SmallBufferThresholdBytes = 1 << 16,
            UnpooledBlockBytes = 8 << 20,
            RowAlignmentBytes = 32,
            RentTimeout = TimeSpan.FromSeconds(1),
            AsyncRentTimeout = TimeSpan.FromSeconds(2),
            LongWaitThreshold = TimeSpan.FromSeconds(3),
            PreferContiguousImageBuffers = true,
            UseHugePages = false,
            ClearOnReturn = true,
            GuardedRentSampling = 1000,
            Name = "kept",
        };
        Checks.Equal((arrays, (MemoryPressureSource)pressure, TimeProvider.System, TrimPolicy.Demand), (options.ArrayPool, options.MemoryPressure, options.TimeProvider, options.TrimPolicy));
        Checks.Equal((1 << 16, 8 << 20, 32, 1000), (options.SmallBufferThresholdBytes, options.UnpooledBlockBytes, options.RowAlignmentBytes, options.GuardedRentSampling));
        Checks.Equal((1, 2, 3), (options.RentTimeout.Seconds, options.AsyncRentTimeout!.Value.Seconds, options.LongWaitThreshold.Seconds));
        Checks.Equal((true, false, true, "kept"), (options.PreferContiguousImageBuffers, options.UseHugePages, options.ClearOnReturn, options.Name));
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using (PixelBuffer<uint> image = allocator.Rent<uint>(101, 100))
        {
            Checks.Equal(416, image.Stride);
            Pattern.Write(image, 1);
            Pattern.Check(image, 1);
        }

        Checks.NothingIsLeft(allocator);
    }
}

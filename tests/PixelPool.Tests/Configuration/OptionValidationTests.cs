namespace PixelPool.Tests.Configuration;

public class OptionValidationTests
{
    [Fact]
    public void Defaults_are_valid() => Assert.Empty(new PixelAllocatorOptions().Validate());

    [Fact]
    public void Every_problem_is_said_in_one_go()
    {
        var options = new PixelAllocatorOptions
        {
            BlockBytes = 3,
            SmallBufferThresholdBytes = -1,
            SmallBuffers = (SmallBufferStrategy)7,
            UnpooledBlockBytes = 1,
            MaxPooledBytes = -1,
            MaxRentedBytes = 0,
            RentTimeout = TimeSpan.FromSeconds(-5),
            LeakTracking = (LeakTracking)9,
            GuardedRentSampling = -1,
            RowAlignmentBytes = 3,
            ArrayPool = null!,
            TrimPolicy = null!,
            Name = " ",
            TimeProvider = null!,
            MemoryPressure = null!,
        };
        Assert.Equal(
            [
                "BlockBytes must be a power of two from 64 KiB to 1 GiB.",
                "SmallBufferThresholdBytes must be 0 or more and less than 2 GiB.",
                "SmallBuffers must be a value of SmallBufferStrategy.",
                "UnpooledBlockBytes must be at least 64 KiB and less than 2 GiB.",
                "MaxPooledBytes must be 0 or more, or null.",
                "MaxRentedBytes must be 1 or more, or null.",
                "RentTimeout must be 0 to 24 days, or infinite (Timeout.InfiniteTimeSpan).",
                "LeakTracking must be a value of LeakTracking.",
                "GuardedRentSampling must be 0 or more.",
                "RowAlignmentBytes must be a power of two from 1 to 4,096.",
                "Name must be a name: it is empty.",
                "ArrayPool must be an object, not null.",
                "TrimPolicy must be an object, not null.",
                "TimeProvider must be an object, not null.",
                "MemoryPressure must be an object, not null.",
            ],
            options.Validate());
        Assert.Throws<ArgumentOutOfRangeException>("BlockBytes", () => PixelAllocator.Create(options));
    }

    [Fact]
    public void Null_is_told_from_a_value_out_of_range() =>
        Assert.Throws<ArgumentNullException>("TimeProvider", static () => PixelAllocator.Create(new PixelAllocatorOptions { TimeProvider = null! }));
}

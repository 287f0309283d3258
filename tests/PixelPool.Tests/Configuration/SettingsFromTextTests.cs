using System.Reflection;

namespace PixelPool.Tests.Configuration;

/// <summary>What any kind of configuration can say: <see cref="PixelAllocatorOptions.TrySet"/>.</summary>
public class SettingsFromTextTests
{
    private readonly PixelAllocatorOptions _options = new();

    public static TheoryData<string> Options =>
        [.. typeof(PixelAllocatorOptions).GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(static property => property.Name)];

    [Theory]
    [MemberData(nameof(Options))]
    public void Every_option_is_set_or_says_that_code_sets_it(string option)
    {
        string value = option switch
        {
            "SmallBuffers" => "Slab",
            "TrimPolicy" => "None",
            "LeakTracking" => "Full",
            "UseHugePages" => "false",
            "PreferContiguousImageBuffers" or "ClearOnReturn" => "true",
            "RowAlignmentBytes" => "64",
            "GuardedRentSampling" => "1000",
            "RentTimeout" or "AsyncRentTimeout" or "LongWaitThreshold" => "infinite",
            _ => "128K",
        };
        object? before = typeof(PixelAllocatorOptions).GetProperty(option)!.GetValue(_options);
        bool isSet = _options.TrySet(option.ToUpperInvariant(), $" {value} ", out string? problem);
        object? after = typeof(PixelAllocatorOptions).GetProperty(option)!.GetValue(_options);
        if (isSet)
        {
            Assert.Null(problem);
            Assert.NotEqual(before, after);
        }
        else
        {
            Assert.Equal("It is an object: set it in code.", problem);
            Assert.Same(before, after);
        }

        Assert.Equal(option is not ("ArrayPool" or "TimeProvider" or "MemoryPressure" or "MeterFactory"), isSet);
        Assert.Empty(_options.Validate());
    }

    [Theory]
    [InlineData("MaxRentedBytes", "lots", "It is not a size of less than 8 EiB: decimal bytes, or a decimal number with K, M or G (of 1,024), such as 300M or 300Mi.")]
    [InlineData("MaxRentedBytes", "9999999999G", "It is not a size of less than 8 EiB: decimal bytes, or a decimal number with K, M or G (of 1,024), such as 300M or 300Mi.")]
    [InlineData("MaxRentedBytes", "0", "It must be 1 or more, or null.")]
    [InlineData("MaxRentedBytes", "", "It is not a size of less than 8 EiB: decimal bytes, or a decimal number with K, M or G (of 1,024), such as 300M or 300Mi.")]
    [InlineData("BlockBytes", null, "It is not a size of less than 8 EiB: decimal bytes, or a decimal number with K, M or G (of 1,024), such as 300M or 300Mi.")]
    [InlineData("BlockBytes", "8G", "It must be a power of two from 64 KiB to 1 GiB.")]
    [InlineData("SmallBufferThresholdBytes", "2G", "It must be 0 or more and less than 2 GiB.")]
    [InlineData("UnpooledBlockBytes", "99G", "It must be at least 64 KiB and less than 2 GiB.")]
    [InlineData("RowAlignmentBytes", "8K", "It must be a power of two from 1 to 4,096.")]
    [InlineData("RentTimeout", "0:30", "It is not a duration: decimal seconds, hours:minutes:seconds, or infinite.")]
    [InlineData("RentTimeout", "25.00:00:00", "It must be 0 to 24 days, or infinite (Timeout.InfiniteTimeSpan).")]
    [InlineData("AsyncRentTimeout", "25.00:00:00", "It must be 0 to 24 days, infinite (Timeout.InfiniteTimeSpan), or null.")]
    [InlineData("LongWaitThreshold", "-00:00:01", "It must be 0 or more, or infinite (Timeout.InfiniteTimeSpan).")]
    [InlineData("TrimPolicy", null, "It is not Demand, None or Halving(period, rate), such as Halving(60, 0.5): a duration of at most 49 days, and the fraction to give back, at most 1.")]
    [InlineData("UseHugePages", "yes", "It is not 0, 1, true or false.")]
    [InlineData("Name", " ", "It is not a name: it is empty.")]
    [InlineData("GuardedRentSampling", "-1", "It is not a whole number of at most 2147483647, in digits.")]
    [InlineData("GuardedRentSampling", "3000000000", "It is not a whole number of at most 2147483647, in digits.")]
    [InlineData("ListensToCollections", "false", "There is no such setting. The settings are BlockBytes, SmallBuffers, MaxPooledBytes, MaxRentedBytes, RentTimeout, AsyncRentTimeout, LongWaitThreshold, TrimPolicy, "
        + "UseHugePages, ClearOnReturn, LeakTracking, GuardedRentSampling, SmallBufferThresholdBytes, UnpooledBlockBytes, RowAlignmentBytes, PreferContiguousImageBuffers, Name.")]
    public void What_cannot_be_used_changes_nothing_and_says_what_is_allowed(string option, string? value, string expected)
    {
        _options.MaxRentedBytes = 7;
        Assert.False(_options.TrySet(option, value, out string? problem));
        Assert.Equal(expected, problem);
        Assert.Equal((7L, 4 << 20, true, null), (_options.MaxRentedBytes, _options.BlockBytes, _options.UseHugePages, _options.Name));
    }

    [Theory]
    [InlineData("MaxRentedBytes")]
    [InlineData("MaxPooledBytes")]
    [InlineData("AsyncRentTimeout")]
    [InlineData("Name")]
    public void Null_is_null_where_it_may_be(string option)
    {
        _options.MaxRentedBytes = _options.MaxPooledBytes = 7;
        _options.AsyncRentTimeout = TimeSpan.Zero;
        _options.Name = "a";
        Assert.True(_options.TrySet(option, null, out _));
        Assert.Null(typeof(PixelAllocatorOptions).GetProperty(option)!.GetValue(_options));
    }

    [Fact]
    public void An_option_has_a_name() => Assert.Throws<ArgumentNullException>("option", () => _options.TrySet(null!, "1", out _));
}

namespace PixelPool.Configuration;

/// <summary>What the values of options must be: null for a value that is allowed, otherwise the end of the sentence "… must be".</summary>
internal static class OptionRange
{
    public static string? BlockBytes(int value) =>
        IsPowerOfTwo(value) && value is >= 64 << 10 and <= 1 << 30 ? null : "a power of two from 64 KiB to 1 GiB";

    public static string? SmallBufferThresholdBytes(int value) => value >= 0 ? null : "0 or more and less than 2 GiB";

    public static string? UnpooledBlockBytes(int value) => value >= 64 << 10 ? null : "at least 64 KiB and less than 2 GiB";

    public static string? MaxPooledBytes(long? value) => value is null or >= 0 ? null : "0 or more, or null";

    public static string? MaxRentedBytes(long? value) => value is null or >= 1 ? null : "1 or more, or null";

    public static string? RentTimeout(TimeSpan value) => IsTimeout(value) ? null : "0 to 24 days, or infinite (Timeout.InfiniteTimeSpan)";

    public static string? AsyncRentTimeout(TimeSpan? value) =>
        value is not { } timeout || IsTimeout(timeout) ? null : "0 to 24 days, infinite (Timeout.InfiniteTimeSpan), or null";

    public static string? NotNull(object? value) => value is null ? "an object, not null" : null;

    public static string? GuardedRentSampling(int value) => value >= 0 ? null : "0 or more";

    public static string? LongWaitThreshold(TimeSpan value) =>
        value >= TimeSpan.Zero || value == Timeout.InfiniteTimeSpan ? null : "0 or more, or infinite (Timeout.InfiniteTimeSpan)";

    public static string? Defined<T>(T value)
        where T : struct, Enum => typeof(T).IsEnumDefined(value) ? null : $"a value of {typeof(T).Name}";

    public static string? RowAlignmentBytes(int value) =>
        IsPowerOfTwo(value) && value <= Native.BlockSource.AlignmentBytes ? null : "a power of two from 1 to 4,096";

    private static bool IsTimeout(TimeSpan value) =>
        value >= TimeSpan.Zero ? value.TotalMilliseconds <= int.MaxValue : value == Timeout.InfiniteTimeSpan;

    private static bool IsPowerOfTwo(int value) => value > 0 && (value & (value - 1)) == 0;
}

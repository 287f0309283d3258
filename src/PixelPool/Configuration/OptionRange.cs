namespace PixelPool.Configuration;

/// <summary>What the values of options must be: null for a value that is allowed, otherwise the end of the sentence "… must be".</summary>
internal static class OptionRange
{
    private const long MaxBlockBytes = 1 << 30;

    public static string? BlockBytes(long value) =>
        IsPowerOfTwo(value) && value is >= 64 << 10 and <= MaxBlockBytes ? null : "a power of two from 64 KiB to 1 GiB";

    public static string? SmallBufferThresholdBytes(long value) => value is >= 0 and <= int.MaxValue ? null : "0 or more and less than 2 GiB";

    public static string? UnpooledBlockBytes(long value) => value is >= 64 << 10 and <= int.MaxValue ? null : "at least 64 KiB and less than 2 GiB";

    public static string? MaxPooledBytes(long? value) => value is null or >= 0 ? null : "0 or more, or null";

    public static string? MaxRentedBytes(long? value) => value is null or >= 1 ? null : "1 or more, or null";

    public static string? RentTimeout(TimeSpan value) => IsTimeout(value) ? null : "0 to 24 days, or infinite (Timeout.InfiniteTimeSpan)";

    public static string? AsyncRentTimeout(TimeSpan? value) =>
        value is not { } timeout || IsTimeout(timeout) ? null : "0 to 24 days, infinite (Timeout.InfiniteTimeSpan), or null";

    public static string? GuardedRentSampling(int value) => value >= 0 ? null : "0 or more";

    public static string? LongWaitThreshold(TimeSpan value) =>
        value >= TimeSpan.Zero || value == Timeout.InfiniteTimeSpan ? null : "0 or more, or infinite (Timeout.InfiniteTimeSpan)";

    public static string? Defined<T>(T value)
        where T : struct, Enum => typeof(T).IsEnumDefined(value) ? null : $"a value of {typeof(T).Name}";

    public static string? RowAlignmentBytes(long value) =>
        IsPowerOfTwo(value) && value <= Native.BlockSource.AlignmentBytes ? null : "a power of two from 1 to 4,096";

    private static bool IsTimeout(TimeSpan value) =>
        value >= TimeSpan.Zero ? value.TotalMilliseconds <= int.MaxValue : value == Timeout.InfiniteTimeSpan;

    private static bool IsPowerOfTwo(long value) => value > 0 && (value & (value - 1)) == 0;
}

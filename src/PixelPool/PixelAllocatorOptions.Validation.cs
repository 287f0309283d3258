using PixelPool.Configuration;

namespace PixelPool;

// What values are allowed.
public sealed partial class PixelAllocatorOptions
{
    /// <summary>Says what is wrong: one sentence for each option that is outside of its range or null where it must not be.</summary>
    /// <returns>Nothing when an allocator can be created with these options.</returns>
    public IReadOnlyList<string> Validate() => [.. FindProblems().Select(static problem => problem.Message)];

    /// <summary>A copy that nobody changes any more.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    /// <exception cref="ArgumentNullException">A value is null that must not be.</exception>
    internal PixelAllocatorOptions Validated()
    {
        foreach ((string option, object? value, string message) in FindProblems())
        {
            if (value is null)
            {
                Throw.ArgumentNull(option);
            }

            Throw.OutOfRange(option, value, message);
        }

        return (PixelAllocatorOptions)MemberwiseClone();
    }

    private List<(string Option, object? Value, string Message)> FindProblems()
    {
        var problems = new List<(string, object?, string)>();
        Check(nameof(BlockBytes), BlockBytes, OptionRange.BlockBytes(BlockBytes));
        Check(nameof(SmallBufferThresholdBytes), SmallBufferThresholdBytes, OptionRange.SmallBufferThresholdBytes(SmallBufferThresholdBytes));
        Check(nameof(SmallBuffers), SmallBuffers, OptionRange.Defined(SmallBuffers));
        Check(nameof(UnpooledBlockBytes), UnpooledBlockBytes, OptionRange.UnpooledBlockBytes(UnpooledBlockBytes));
        Check(nameof(MaxPooledBytes), MaxPooledBytes, OptionRange.MaxPooledBytes(MaxPooledBytes));
        Check(nameof(MaxRentedBytes), MaxRentedBytes, OptionRange.MaxRentedBytes(MaxRentedBytes));
        Check(nameof(RentTimeout), RentTimeout, OptionRange.RentTimeout(RentTimeout));
        Check(nameof(AsyncRentTimeout), AsyncRentTimeout, OptionRange.AsyncRentTimeout(AsyncRentTimeout));
        Check(nameof(LongWaitThreshold), LongWaitThreshold, OptionRange.LongWaitThreshold(LongWaitThreshold));
        Check(nameof(LeakTracking), LeakTracking, OptionRange.Defined(LeakTracking));
        Check(nameof(GuardedRentSampling), GuardedRentSampling, OptionRange.GuardedRentSampling(GuardedRentSampling));
        Check(nameof(RowAlignmentBytes), RowAlignmentBytes, OptionRange.RowAlignmentBytes(RowAlignmentBytes));
        CheckNull(nameof(ArrayPool), ArrayPool);
        CheckNull(nameof(TrimPolicy), TrimPolicy);
        CheckNull(nameof(TimeProvider), TimeProvider);
        CheckNull(nameof(MemoryPressure), MemoryPressure);
        return problems;

        void Check(string option, object? value, string? allowed)
        {
            if (allowed is not null)
            {
                problems.Add((option, value, $"{option} must be {allowed}."));
            }
        }

        void CheckNull(string option, object? value) => Check(option, value, value is null ? "an object, not null" : null);
    }
}

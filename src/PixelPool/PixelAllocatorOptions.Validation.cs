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
        foreach (Problem problem in FindProblems())
        {
            if (problem.Value is null)
            {
                Throw.ArgumentNull(problem.Option);
            }

            Throw.OutOfRange(problem.Option, problem.Value, problem.Message);
        }

        return (PixelAllocatorOptions)MemberwiseClone();
    }

    private List<Problem> FindProblems()
    {
        var problems = new List<Problem>(4);
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
        Check(nameof(Name), Name, Name is null ? null : SettingFormats.Name(Name, out _));
        CheckNull(nameof(ArrayPool), ArrayPool);
        CheckNull(nameof(TrimPolicy), TrimPolicy);
        CheckNull(nameof(TimeProvider), TimeProvider);
        CheckNull(nameof(MemoryPressure), MemoryPressure);
        return problems;

        void Check(string option, object? value, string? allowed)
        {
            if (allowed is not null)
            {
                problems.Add(new Problem(option, value, $"{option} must be {allowed}."));
            }
        }

        void CheckNull(string option, object? value) => Check(option, value, value is null ? "an object, not null" : null);
    }

    // A class: lists of classes are compiled already, and every program validates its options.
    private sealed record Problem(string Option, object? Value, string Message);
}

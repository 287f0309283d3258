using System.Diagnostics.CodeAnalysis;
using PixelPool.Configuration;

namespace PixelPool;

// What options there are: how each is written in text, and what its values must be.
public sealed partial class PixelAllocatorOptions
{
    /// <summary>What the operator of a process may set for all of its allocators.</summary>
    internal OptionState[] OperatorSettings =>
    [
        Setting(nameof(BlockBytes), BlockBytes, SettingFormats.Bytes, value => BlockBytes = value, OptionRange.BlockBytes),
        Setting(nameof(SmallBuffers), SmallBuffers, SettingFormats.OneOf, value => SmallBuffers = value, OptionRange.Defined),
        Setting(nameof(MaxPooledBytes), MaxPooledBytes, SettingFormats.OrNull<long>(SettingFormats.Size), value => MaxPooledBytes = value, OptionRange.MaxPooledBytes),
        Setting(nameof(MaxRentedBytes), MaxRentedBytes, SettingFormats.OrNull<long>(SettingFormats.Size), value => MaxRentedBytes = value, OptionRange.MaxRentedBytes),
        Setting(nameof(RentTimeout), RentTimeout, SettingFormats.Duration, value => RentTimeout = value, OptionRange.RentTimeout),
        Setting(nameof(AsyncRentTimeout), AsyncRentTimeout, SettingFormats.OrNull<TimeSpan>(SettingFormats.Duration), value => AsyncRentTimeout = value, OptionRange.AsyncRentTimeout),
        Setting(nameof(LongWaitThreshold), LongWaitThreshold, SettingFormats.Duration, value => LongWaitThreshold = value, OptionRange.LongWaitThreshold),
        Setting(nameof(TrimPolicy), TrimPolicy, SettingFormats.TrimPolicy, value => TrimPolicy = value, OptionRange.NotNull),
        Setting(nameof(UseHugePages), UseHugePages, SettingFormats.Switch, value => UseHugePages = value),
        Setting(nameof(ClearOnReturn), ClearOnReturn, SettingFormats.Switch, value => ClearOnReturn = value),
        Setting(nameof(LeakTracking), LeakTracking, SettingFormats.OneOf, value => LeakTracking = value, OptionRange.Defined),
        Setting(nameof(GuardedRentSampling), GuardedRentSampling, SettingFormats.Count, value => GuardedRentSampling = value, OptionRange.GuardedRentSampling),
    ];

    // The others are the application's: its code relies on the layout of its images, and each allocator has a name of its own. Objects have no text.
    private OptionState[] Options =>
    [
        .. OperatorSettings,
        Setting(nameof(SmallBufferThresholdBytes), SmallBufferThresholdBytes, SettingFormats.Bytes, value => SmallBufferThresholdBytes = value, OptionRange.SmallBufferThresholdBytes),
        Setting(nameof(UnpooledBlockBytes), UnpooledBlockBytes, SettingFormats.Bytes, value => UnpooledBlockBytes = value, OptionRange.UnpooledBlockBytes),
        Setting(nameof(RowAlignmentBytes), RowAlignmentBytes, SettingFormats.Bytes, value => RowAlignmentBytes = value, OptionRange.RowAlignmentBytes),
        Setting(nameof(PreferContiguousImageBuffers), PreferContiguousImageBuffers, SettingFormats.Switch, value => PreferContiguousImageBuffers = value),
        Setting(nameof(Name), Name, SettingFormats.Name, value => Name = value),
        Option(nameof(ArrayPool), ArrayPool, OptionRange.NotNull(ArrayPool)),
        Option(nameof(TimeProvider), TimeProvider, OptionRange.NotNull(TimeProvider)),
        Option(nameof(MemoryPressure), MemoryPressure, OptionRange.NotNull(MemoryPressure)),
#if NET
        Option(nameof(MeterFactory), AnyMeterFactory, allowed: null),
#endif
    ];

    /// <summary>Creates options with the defaults, or with what the operator of the process set instead.</summary>
    public PixelAllocatorOptions()
        : this(CurrentSettings)
    {
    }

    internal PixelAllocatorOptions(ProcessSettings? settings)
    {
        foreach ((string option, string text) in settings?.Values ?? [])
        {
            TrySet(option, text, out _);
        }
    }

    /// <summary>
    /// Settings of the process that are not used: invalid values, and environment variables that begin with <c>PIXELPOOL_</c> but are not settings.
    /// </summary>
    public static IReadOnlyList<InvalidSetting> IgnoredSettings => CurrentSettings.Ignored;

    private static ProcessSettings CurrentSettings => ProcessSettings.Current ?? ProcessSettings.Read(new PixelAllocatorOptions(settings: null).OperatorSettings);

    /// <summary>
    /// Sets an option from text, for configuration of any kind: sizes, switches and durations as in environment variables (see the remarks of
    /// <see cref="PixelAllocatorOptions"/>), values of enumerations by name, and the policies <c>Demand</c>, <c>None</c> and <c>Halving(60, 0.5)</c>.
    /// </summary>
    /// <param name="option">The name of the option, in upper or lower case.</param>
    /// <param name="value">The value. Null sets null, for options that may be null.</param>
    /// <param name="problem">Why the option is not set, as sentences that say what is allowed. Null if it is set.</param>
    /// <returns>
    /// True if the option is set. False if the value is invalid, there is no such option, or it is an object that only code can set, such as
    /// <see cref="TimeProvider"/>. Then nothing changes.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="option"/> is null.</exception>
    public bool TrySet(string option, string? value, [NotNullWhen(false)] out string? problem)
    {
        Throw.IfNull(option, nameof(option));
        OptionState[] options = Options;
        problem = Array.Find(options, each => string.Equals(each.Name, option, StringComparison.OrdinalIgnoreCase)) is not { } named
            ? $"There is no such setting. The settings are {string.Join(", ", options.Where(static each => each.TrySet is not null).Select(static each => each.Name))}."
            : named.TrySet is null ? "It is an object: set it in code." : named.TrySet(value?.Trim());
        return problem is null;
    }

    private static OptionState Setting<T>(string name, T value, SettingFormat<T> format, Action<T> set, Func<T, string?>? range = null) =>
        Option(name, value, range?.Invoke(value)) with { TrySet = text => Read(text, format, set, range) };

    private static OptionState Option(string name, object? value, string? allowed) =>
        new(name, value, allowed is null ? null : $"{name} must be {allowed}.", TrySet: null);

    // Without a range, every value that can be written is allowed.
    private static string? Read<T>(string? text, SettingFormat<T> format, Action<T> set, Func<T, string?>? range = null)
    {
        string? problem = format(text, out T value) is { } expected ? $"It is not {expected}."
            : range?.Invoke(value) is { } allowed ? $"It must be {allowed}."
            : null;
        if (problem is null)
        {
            set(value);
        }

        return problem;
    }
}

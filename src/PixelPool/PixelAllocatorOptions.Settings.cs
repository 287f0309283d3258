using System.Diagnostics.CodeAnalysis;
using PixelPool.Configuration;

namespace PixelPool;

// Options from text.
public sealed partial class PixelAllocatorOptions
{
    /// <summary>What the operator of a process may set for all of its allocators.</summary>
    internal static string[] OperatorSettings =>
    [
        nameof(BlockBytes), nameof(SmallBuffers), nameof(MaxPooledBytes), nameof(MaxRentedBytes), nameof(RentTimeout), nameof(AsyncRentTimeout), nameof(LongWaitThreshold),
        nameof(TrimPolicy), nameof(UseHugePages), nameof(ClearOnReturn), nameof(LeakTracking), nameof(GuardedRentSampling),
    ];

    // The others are the application's: its code relies on the layout of its images, and each allocator has a name of its own.
    private static string[] Settings =>
    [
        .. OperatorSettings,
        nameof(SmallBufferThresholdBytes), nameof(UnpooledBlockBytes), nameof(RowAlignmentBytes), nameof(PreferContiguousImageBuffers), nameof(Name),
    ];

    private static string[] Objects =>
    [
        nameof(ArrayPool), nameof(TimeProvider), nameof(MemoryPressure),
#if NET
        nameof(MeterFactory),
#endif
    ];

    /// <summary>Creates options with the defaults, or with what the operator of the process set instead.</summary>
    public PixelAllocatorOptions()
        : this(CurrentSettings)
    {
    }

    internal PixelAllocatorOptions(ProcessSettings? settings)
    {
        foreach (KeyValuePair<string, string> setting in settings?.Values ?? [])
        {
            Set(setting.Key, setting.Value);
        }
    }

    /// <summary>
    /// Settings of the process that are not used: invalid values, and environment variables that begin with <c>PIXELPOOL_</c> but are not settings.
    /// </summary>
    public static IReadOnlyList<InvalidSetting> IgnoredSettings => CurrentSettings.Ignored;

    private static ProcessSettings CurrentSettings => ProcessSettings.Current ?? ProcessSettings.ReadOnce(OperatorSettings, FindProblem);

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
        problem = Array.Find(Settings, IsCalled) is { } setting ? Set(setting, value?.Trim())
            : Array.Exists(Objects, IsCalled) ? "It is an object: set it in code."
            : $"There is no such setting. The settings are {string.Join(", ", Settings)}.";
        return problem is null;

        bool IsCalled(string name) => string.Equals(name, option, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>What is wrong with the text of an option, as a sentence, or null.</summary>
    internal static string? FindProblem(string option, string? text) => new PixelAllocatorOptions(settings: null).Set(option, text);

    // Null, or what is wrong with the text: then nothing is set.
    private string? Set(string option, string? text) => option switch
    {
        nameof(BlockBytes) => Read<long>(text, SettingFormats.Size, value => BlockBytes = (int)value, OptionRange.BlockBytes),
        nameof(SmallBuffers) => Read<SmallBufferStrategy>(text, SettingFormats.OneOf, value => SmallBuffers = value),
        nameof(MaxPooledBytes) => Read<long?>(text, SettingFormats.OrNull<long>(SettingFormats.Size), value => MaxPooledBytes = value, OptionRange.MaxPooledBytes),
        nameof(MaxRentedBytes) => Read<long?>(text, SettingFormats.OrNull<long>(SettingFormats.Size), value => MaxRentedBytes = value, OptionRange.MaxRentedBytes),
        nameof(RentTimeout) => Read<TimeSpan>(text, SettingFormats.Duration, value => RentTimeout = value, OptionRange.RentTimeout),
        nameof(AsyncRentTimeout) => Read<TimeSpan?>(text, SettingFormats.OrNull<TimeSpan>(SettingFormats.Duration), value => AsyncRentTimeout = value, OptionRange.AsyncRentTimeout),
        nameof(LongWaitThreshold) => Read<TimeSpan>(text, SettingFormats.Duration, value => LongWaitThreshold = value, OptionRange.LongWaitThreshold),
        nameof(TrimPolicy) => Read<TrimPolicy>(text, SettingFormats.TrimPolicy, value => TrimPolicy = value),
        nameof(UseHugePages) => Read<bool>(text, SettingFormats.Switch, value => UseHugePages = value),
        nameof(ClearOnReturn) => Read<bool>(text, SettingFormats.Switch, value => ClearOnReturn = value),
        nameof(LeakTracking) => Read<LeakTracking>(text, SettingFormats.OneOf, value => LeakTracking = value),
        nameof(GuardedRentSampling) => Read<int>(text, SettingFormats.Count, value => GuardedRentSampling = value, OptionRange.GuardedRentSampling),
        nameof(SmallBufferThresholdBytes) => Read<long>(text, SettingFormats.Size, value => SmallBufferThresholdBytes = (int)value, OptionRange.SmallBufferThresholdBytes),
        nameof(UnpooledBlockBytes) => Read<long>(text, SettingFormats.Size, value => UnpooledBlockBytes = (int)value, OptionRange.UnpooledBlockBytes),
        nameof(RowAlignmentBytes) => Read<long>(text, SettingFormats.Size, value => RowAlignmentBytes = (int)value, OptionRange.RowAlignmentBytes),
        nameof(PreferContiguousImageBuffers) => Read<bool>(text, SettingFormats.Switch, value => PreferContiguousImageBuffers = value),
        nameof(Name) => Read<string?>(text, SettingFormats.Name, value => Name = value),
        _ => throw new ArgumentOutOfRangeException(nameof(option), option, "It is none of Settings."),
    };

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

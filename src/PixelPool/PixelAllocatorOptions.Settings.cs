using System.Diagnostics.CodeAnalysis;
using PixelPool.Configuration;

namespace PixelPool;

// Options from text.
public sealed partial class PixelAllocatorOptions
{
    /// <summary>What the operator of a process may set for all of its allocators.</summary>
    internal static readonly Setting<PixelAllocatorOptions>[] OperatorSettings =
    [
        Setting(nameof(BlockBytes), SettingFormats.Size, static (options, value) => options.BlockBytes = (int)value, OptionRange.BlockBytes),
        Setting(nameof(SmallBuffers), SettingFormats.SmallBuffers, static (options, value) => options.SmallBuffers = value),
        Setting(nameof(MaxPooledBytes), SettingFormats.SizeOrNull, static (options, value) => options.MaxPooledBytes = value, OptionRange.MaxPooledBytes),
        Setting(nameof(MaxRentedBytes), SettingFormats.SizeOrNull, static (options, value) => options.MaxRentedBytes = value, OptionRange.MaxRentedBytes),
        Setting(nameof(RentTimeout), SettingFormats.Duration, static (options, value) => options.RentTimeout = value, OptionRange.RentTimeout),
        Setting(
            nameof(AsyncRentTimeout),
            SettingFormats.DurationOrNull,
            static (options, value) => options.AsyncRentTimeout = value,
            OptionRange.AsyncRentTimeout),
        Setting(
            nameof(LongWaitThreshold), SettingFormats.Duration, static (options, value) => options.LongWaitThreshold = value, OptionRange.LongWaitThreshold),
        Setting(nameof(TrimPolicy), SettingFormats.TrimPolicy, static (options, value) => options.TrimPolicy = value),
        Setting(nameof(UseHugePages), SettingFormats.Switch, static (options, value) => options.UseHugePages = value),
        Setting(nameof(ClearOnReturn), SettingFormats.Switch, static (options, value) => options.ClearOnReturn = value),
        Setting(nameof(LeakTracking), SettingFormats.LeakTracking, static (options, value) => options.LeakTracking = value),
    ];

    // The others are the application's: its code relies on the layout of its images, and each allocator has a name of its own.
    private static readonly Setting<PixelAllocatorOptions>[] s_settings =
    [
        .. OperatorSettings,
        Setting(
            nameof(SmallBufferThresholdBytes),
            SettingFormats.Size,
            static (options, value) => options.SmallBufferThresholdBytes = (int)value,
            OptionRange.SmallBufferThresholdBytes),
        Setting(nameof(UnpooledBlockBytes), SettingFormats.Size, static (options, value) => options.UnpooledBlockBytes = (int)value, OptionRange.UnpooledBlockBytes),
        Setting(nameof(RowAlignmentBytes), SettingFormats.Size, static (options, value) => options.RowAlignmentBytes = (int)value, OptionRange.RowAlignmentBytes),
        Setting(nameof(PreferContiguousImageBuffers), SettingFormats.Switch, static (options, value) => options.PreferContiguousImageBuffers = value),
        Setting(nameof(Name), SettingFormats.Name, static (options, value) => options.Name = value),
    ];

    private static readonly string[] s_objects =
    [
        nameof(ArrayPool),
        nameof(TimeProvider),
        nameof(MemoryPressure),
#if NET
        nameof(MeterFactory),
#endif
    ];

    /// <summary>Creates options with the defaults, or with what the operator of the process set instead.</summary>
    public PixelAllocatorOptions()
        : this(CurrentSettings)
    {
    }

    internal PixelAllocatorOptions(ProcessSettings<PixelAllocatorOptions> settings) => settings.Apply(this);

    /// <summary>
    /// Settings of the process that are not used: invalid values, and environment variables that begin with <c>PIXELPOOL_</c> but are not settings.
    /// </summary>
    public static IReadOnlyList<InvalidSetting> IgnoredSettings => CurrentSettings.Ignored;

    private static ProcessSettings<PixelAllocatorOptions> CurrentSettings => ProcessSettings<PixelAllocatorOptions>.Current(OperatorSettings);

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
        if (Array.Find(s_settings, setting => IsCalled(setting.Name)) is { } setting)
        {
            setting.Read(value?.Trim(), out problem)?.Invoke(this);
        }
        else if (Array.Exists(s_objects, IsCalled))
        {
            problem = "It is an object: set it in code.";
        }
        else
        {
            problem = $"There is no such setting. The settings are {string.Join(", ", s_settings.Select(static setting => setting.Name))}.";
        }

        return problem is null;

        bool IsCalled(string name) => string.Equals(name, option, StringComparison.OrdinalIgnoreCase);
    }

    private static TypedSetting<PixelAllocatorOptions, T> Setting<T>(
        string name, SettingFormat<T> format, Action<PixelAllocatorOptions, T> set, Func<T, string?>? range = null) => new(name, format, set, range);
}

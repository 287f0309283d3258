using System.Collections;
using PixelPool.Diagnostics;

namespace PixelPool.Configuration;

/// <summary>
/// The values that options begin with in this process, as far as its operator set any. What is wrong with them is reported and has no effect: a service
/// that does not start because of a typing error would be worse.
/// </summary>
internal sealed class ProcessSettings
{
    private static ProcessSettings? s_current;

    private ProcessSettings(SettingReader reader)
    {
        BlockBytes = (int?)reader.Read(nameof(BlockBytes), SettingFormats.Size, OptionRange.BlockBytes);
        MaxPooledBytes = reader.Read(nameof(MaxPooledBytes), SettingFormats.Size, OptionRange.MaxPooledBytes);
        MaxRentedBytes = reader.Read(nameof(MaxRentedBytes), SettingFormats.Size, OptionRange.MaxRentedBytes);
        RentTimeout = reader.Read(nameof(RentTimeout), SettingFormats.Duration, OptionRange.RentTimeout);
        LeakTracking = reader.Read(nameof(LeakTracking), SettingFormats.LeakTracking, OptionRange.LeakTracking);
        UseHugePages = reader.Read(nameof(UseHugePages), SettingFormats.Switch, static _ => null);
        ClearOnReturn = reader.Read(nameof(ClearOnReturn), SettingFormats.Switch, static _ => null);
        reader.IgnoreUnknown();
        Ignored = reader.Ignored;
    }

    /// <summary>Those of this process, read when they are asked for first.</summary>
    public static ProcessSettings Current => Volatile.Read(ref s_current) ?? ReadOnce();

    public int? BlockBytes { get; }

    public long? MaxPooledBytes { get; }

    public long? MaxRentedBytes { get; }

    public TimeSpan? RentTimeout { get; }

    public LeakTracking? LeakTracking { get; }

    public bool? UseHugePages { get; }

    public bool? ClearOnReturn { get; }

    public IReadOnlyList<IgnoredSetting> Ignored { get; }

    /// <param name="environment">The environment variables that begin with <see cref="SettingReader.Prefix"/>.</param>
    /// <param name="context">The value of a name in the application's context, or null.</param>
    public static ProcessSettings Read(IReadOnlyDictionary<string, string> environment, Func<string, object?> context) =>
        new(new SettingReader(environment, context));

    // No lock, and events only after the settings are there: whoever listens to them may make options.
    private static ProcessSettings ReadOnce()
    {
        ProcessSettings read = Read(ReadEnvironment(), ReadContext);
        if (Interlocked.CompareExchange(ref s_current, read, null) is { } other)
        {
            return other;
        }

        foreach (IgnoredSetting setting in read.Ignored)
        {
            PixelPoolEventSource.Log.SettingIgnored(setting.Name, setting.Value, setting.Reason);
        }

        return read;
    }

    private static Dictionary<string, string> ReadEnvironment()
    {
        var found = new Dictionary<string, string>(SettingReader.Names);
        foreach (DictionaryEntry entry in Environment.GetEnvironmentVariables())
        {
            string name = (string)entry.Key;
            if (name.Length >= SettingReader.Prefix.Length && SettingReader.Names.Equals(name.Substring(0, SettingReader.Prefix.Length), SettingReader.Prefix))
            {
                found[name] = entry.Value as string ?? string.Empty;
            }
        }

        return found;
    }

    // What was set as a switch is no data, and what the runtime's configuration says is both.
    private static object? ReadContext(string name) => AppContext.GetData(name) ?? (AppContext.TryGetSwitch(name, out bool value) ? value : null);
}

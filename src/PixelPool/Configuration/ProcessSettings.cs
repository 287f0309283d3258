using System.Collections;
using PixelPool.Diagnostics;

namespace PixelPool.Configuration;

/// <summary>
/// The values that options begin with in this process, as far as its operator set any. What is wrong with them is reported and has no effect: a service
/// that does not start because of a typing error would be worse.
/// </summary>
internal sealed class ProcessSettings<TOptions>
{
    private static ProcessSettings<TOptions>? s_current;

    private readonly List<Action<TOptions>> _values = [];

    /// <param name="options">The names of what can be set.</param>
    /// <param name="understand">What a text means for one of them.</param>
    /// <param name="environment">The environment variables that begin with <see cref="SettingReader.Prefix"/>.</param>
    /// <param name="context">The value of a name in the application's context, or null.</param>
    public ProcessSettings(string[] options, SettingText<TOptions> understand, IReadOnlyDictionary<string, string> environment, Func<string, object?> context)
    {
        var reader = new SettingReader(environment, context);
        foreach (string option in options)
        {
            if (reader.Read(option, understand) is { } value)
            {
                _values.Add(value);
            }
        }

        if (environment.Count > 0)
        {
            reader.IgnoreUnknown();
        }

        Ignored = reader.Ignored;
    }

    public IReadOnlyList<InvalidSetting> Ignored { get; }

    /// <summary>Those of this process, read when they are asked for first.</summary>
    public static ProcessSettings<TOptions> Current(string[] options, SettingText<TOptions> understand) =>
        Volatile.Read(ref s_current) ?? ReadOnce(options, understand);

    public void Apply(TOptions options)
    {
        foreach (Action<TOptions> value in _values)
        {
            value(options);
        }
    }

    // No lock, and events only after the settings are there: whoever listens to them may make options.
    private static ProcessSettings<TOptions> ReadOnce(string[] options, SettingText<TOptions> understand)
    {
        var read = new ProcessSettings<TOptions>(options, understand, ReadEnvironment(), ReadContext);
        if (Interlocked.CompareExchange(ref s_current, read, null) is { } other)
        {
            return other;
        }

        foreach (InvalidSetting setting in read.Ignored)
        {
            PixelPoolEventSource.Log?.SettingIgnored(setting.Name, setting.Value, setting.Reason);
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

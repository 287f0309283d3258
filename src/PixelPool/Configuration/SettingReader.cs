using System.Globalization;
using System.Runtime.InteropServices;

namespace PixelPool.Configuration;

/// <summary>
/// Reads settings from environment variables (<c>PIXELPOOL_MAX_RENTED_BYTES</c>) and, where those say nothing usable, from the application's context
/// (<c>PixelPool.MaxRentedBytes</c>). What cannot be used is remembered, and otherwise as if it were not there.
/// </summary>
/// <param name="environment">The environment variables that begin with <see cref="Prefix"/>.</param>
/// <param name="context">The value of a name in the application's context, or null.</param>
internal sealed class SettingReader(IReadOnlyDictionary<string, string> environment, Func<string, object?> context)
{
    public const string Prefix = "PIXELPOOL_";

    private const string ContextPrefix = "PixelPool.";

    // What others write: PixelPool__MaxRentedBytes is how configuration of .NET writes the section PixelPool of an application, in which options may be bound;
    // Kubernetes tells every container where a service that is called pixelpool is found.
    private static readonly string[] s_others = [Prefix + "_", Prefix + "SERVICE_", Prefix + "PORT"];

    private readonly List<string> _variables = [];

    /// <summary>Windows does not tell upper case from lower case in the names of variables. Elsewhere another case is another name: a mistake in writing.</summary>
    public static StringComparer Names { get; } =
        RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    /// <summary>What was there and is not used.</summary>
    public List<InvalidSetting> Ignored { get; } = [];

    /// <returns>Sets the option, or null when nothing usable is there.</returns>
    public Action<TOptions>? Read<TOptions>(string option, SettingText<TOptions> understand)
    {
        // Nearly always there is nothing, and then nothing is done.
        Action<TOptions>? value = null;
        if (environment.Count > 0)
        {
            string variable = VariableOf(option);
            _variables.Add(variable);
            value = environment.TryGetValue(variable, out string? text) ? Understand(option, understand, variable, text) : null;
        }

        string name = ContextPrefix + option;
        return value ?? (context(name) is { } set ? Understand(option, understand, name, Convert.ToString(set, CultureInfo.InvariantCulture)) : null);
    }

    /// <summary>To be called after all settings were read: variables that are none are mistakes in writing.</summary>
    public void IgnoreUnknown()
    {
        foreach (string variable in environment.Keys)
        {
            if (!_variables.Contains(variable, Names) && !Array.Exists(s_others, prefix => variable.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)))
            {
                Ignore(variable, environment[variable], $"There is no such setting. The settings are {string.Join(", ", _variables)}.");
            }
        }
    }

    // MaxRentedBytes: PIXELPOOL_MAX_RENTED_BYTES.
    private static string VariableOf(string option) =>
        Prefix + string.Concat(option.Select(static (letter, i) => i > 0 && char.IsUpper(letter) ? $"_{letter}" : char.ToUpperInvariant(letter).ToString()));

    // An empty variable is one that is not set: many tools cannot take one away.
    private Action<TOptions>? Understand<TOptions>(string option, SettingText<TOptions> understand, string name, string? text)
    {
        if (string.IsNullOrWhiteSpace(text))
        {
            return null;
        }

        Action<TOptions>? value = understand(option, text!.Trim(), out string? problem);
        if (problem is not null)
        {
            Ignore(name, text, problem);
        }

        return value;
    }

    private void Ignore(string name, string value, string reason) => Ignored.Add(new InvalidSetting(name, value, reason));
}

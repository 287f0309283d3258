using System.Collections;
using System.Globalization;
using System.Runtime.InteropServices;
using PixelPool.Diagnostics;

namespace PixelPool.Configuration;

/// <summary>
/// The values that options begin with in this process, as far as its operator set any: in environment variables (<c>PIXELPOOL_MAX_RENTED_BYTES</c>) or, where those say nothing usable, in the
/// application's context (<c>PixelPool.MaxRentedBytes</c>). What is wrong with them is reported and has no effect: a service that does not start because of a typing error would be worse.
/// </summary>
internal sealed class ProcessSettings
{
    private const string Prefix = "PIXELPOOL_";
    private const string ContextPrefix = "PixelPool.";

    // No static field is initialized here: a process whose first options find no memory for that could never make any.
    private static ProcessSettings? s_current;

    /// <param name="options">The names of what can be set.</param>
    /// <param name="findProblem">What is wrong with a text of one of them, as a sentence, or null.</param>
    /// <param name="environment">The environment variables that begin with the prefix.</param>
    /// <param name="context">The value of a name in the application's context, or null.</param>
    public ProcessSettings(string[] options, Func<string, string, string?> findProblem, IReadOnlyDictionary<string, string> environment, Func<string, object?> context)
    {
        // Nearly always there are none, and then nothing is done.
        string[] variables = environment.Count == 0 ? [] : Array.ConvertAll(options, VariableOf);
        for (int i = 0; i < options.Length; i++)
        {
            bool isSet = i < variables.Length && environment.TryGetValue(variables[i], out string? text) && TryUse(options[i], variables[i], text);
            if (!isSet && context(ContextPrefix + options[i]) is { } value)
            {
                TryUse(options[i], ContextPrefix + options[i], Convert.ToString(value, CultureInfo.InvariantCulture));
            }
        }

        IgnoreOthers(environment, variables);

        // An empty variable is one that is not set: many tools cannot take one away.
        bool TryUse(string option, string name, string? text)
        {
            if (string.IsNullOrWhiteSpace(text))
            {
                return false;
            }

            string? problem = findProblem(option, text!.Trim());
            if (problem is null)
            {
                Values.Add(option, text.Trim());
            }
            else
            {
                Ignored.Add(new InvalidSetting(name, text, problem));
            }

            return problem is null;
        }
    }

    /// <summary>What is set, each option at most once.</summary>
    public readonly Dictionary<string, string> Values = [];

    /// <summary>What was there and is not used.</summary>
    public readonly List<InvalidSetting> Ignored = new(4);

    /// <summary>Those of this process; null until they are read.</summary>
    public static ProcessSettings? Current => Volatile.Read(ref s_current);

    // Windows does not tell upper case from lower case in the names of variables. Elsewhere another case is another name: a mistake in writing.
    private static StringComparer Names => RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

    // What others write: PixelPool__MaxRentedBytes is how configuration of .NET writes the section PixelPool of an application, in which options may be bound;
    // Kubernetes tells every container where a service that is called pixelpool is found.
    private static string[] Others => [Prefix + "_", Prefix + "SERVICE_", Prefix + "PORT"];

    /// <summary>Reads those of this process, when they are asked for first.</summary>
    public static ProcessSettings ReadOnce(string[] options, Func<string, string, string?> findProblem)
    {
        // No lock, and events only after the settings are there: whoever listens to them may make options.
        var read = new ProcessSettings(options, findProblem, ReadEnvironment(), ReadContext);
        if (Interlocked.CompareExchange(ref s_current, read, null) is { } other)
        {
            return other;
        }

        foreach (InvalidSetting setting in read.Ignored)
        {
            PixelPoolEventSource.Make();
            PixelPoolEventSource.Log?.SettingIgnored(setting.Name, setting.Value, setting.Reason);
        }

        return read;
    }

    // Variables that are none are mistakes in writing.
    private void IgnoreOthers(IReadOnlyDictionary<string, string> environment, string[] variables)
    {
        foreach (string variable in environment.Keys)
        {
            if (!variables.Contains(variable, Names) && !Array.Exists(Others, prefix => variable.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)))
            {
                Ignored.Add(new InvalidSetting(variable, environment[variable], $"There is no such setting. The settings are {string.Join(", ", variables)}."));
            }
        }
    }

    private static Dictionary<string, string> ReadEnvironment()
    {
        var found = new Dictionary<string, string>(Names);
        foreach (DictionaryEntry entry in Environment.GetEnvironmentVariables())
        {
            string name = (string)entry.Key;
            if (name.Length >= Prefix.Length && Names.Equals(name.Substring(0, Prefix.Length), Prefix))
            {
                found[name] = entry.Value as string ?? string.Empty;
            }
        }

        return found;
    }

    // What was set as a switch is no data, and what the runtime's configuration says is both.
    private static object? ReadContext(string name) => AppContext.GetData(name) ?? (AppContext.TryGetSwitch(name, out bool value) ? value : null);

    // MaxRentedBytes: PIXELPOOL_MAX_RENTED_BYTES.
    private static string VariableOf(string option) =>
        Prefix + string.Concat(option.Select(static (letter, i) => i > 0 && char.IsUpper(letter) ? $"_{letter}" : char.ToUpperInvariant(letter).ToString()));
}

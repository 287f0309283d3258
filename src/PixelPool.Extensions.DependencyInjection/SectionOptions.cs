using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>
/// Sets the options of one allocator from a section of configuration, without reflection, and reports all in it that sets none. The section is read twice, for
/// options and for problems: so nothing has to be remembered from one to the other.
/// </summary>
internal sealed class SectionOptions(string optionsName, IConfiguration section) : IConfigureNamedOptions<PixelAllocatorOptions>, IValidateOptions<PixelAllocatorOptions>
{
    public void Configure(PixelAllocatorOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, PixelAllocatorOptions options)
    {
        if (name == optionsName)
        {
            Apply(options);
        }
    }

    public ValidateOptionsResult Validate(string? name, PixelAllocatorOptions options) =>
        name == optionsName ? ValidationResult.Of(name, Apply(new PixelAllocatorOptions())) : ValidateOptionsResult.Skip;

    private List<string> Apply(PixelAllocatorOptions options)
    {
        var problems = new List<string>();
        if (section is IConfigurationSection { Value: { Length: > 0 } value, Path: var path })
        {
            problems.Add($"{path}={value} cannot be used. It is a value, and the settings are in a section.");
        }

        foreach (IConfigurationSection setting in section.GetChildren())
        {
            if (setting.GetChildren().Any())
            {
                problems.Add($"{setting.Path} cannot be used. It is a section, and a setting has one value.");
            }
            else if (!options.TrySet(setting.Key, setting.Value, out string? problem))
            {
                problems.Add($"{Describe(setting)} cannot be used. {problem}");
            }
        }

        return problems;
    }

    // A root has all that is in the environment, secrets too: what gets into an exception and a log of that are names.
    private string Describe(IConfigurationSection setting) => section is IConfigurationSection ? $"{setting.Path}={setting.Value ?? "null"}" : setting.Path;
}

using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>
/// Reports everything that is wrong before anybody rents: with the options of an allocator, and, as warnings, with the settings of the process that options
/// begin with.
/// </summary>
internal sealed class OptionsValidator : IValidateOptions<PixelAllocatorOptions>
{
    /// <summary>Called once for a container: when its host starts, or when an allocator is asked for first.</summary>
    public OptionsValidator(ILoggerFactory? loggers = null)
    {
        if (loggers is not null)
        {
            SettingsLog.WriteIgnored(loggers.CreateLogger(LogCategory.Name));
        }
    }

    public ValidateOptionsResult Validate(string? name, PixelAllocatorOptions options) => ValidationResult.Of(name, options.Validate());
}

using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Creates the allocators of one container, and tells its loggers what nobody may miss.</summary>
internal sealed partial class AllocatorFactory
{
    private readonly IOptionsMonitor<PixelAllocatorOptions> _options;

    public AllocatorFactory(IOptionsMonitor<PixelAllocatorOptions> options, ILoggerFactory? loggers = null)
    {
        _options = options;
        if (loggers?.CreateLogger("PixelPool") is { } logger)
        {
            foreach (IgnoredSetting setting in PixelAllocatorOptions.IgnoredSettings)
            {
                LogIgnored(logger, setting.Name, setting.Value, setting.Reason);
            }
        }
    }

    /// <exception cref="OptionsValidationException">The options are not valid.</exception>
    public PixelAllocator Create(string name) => PixelAllocator.Create(_options.Get(name));

    [LoggerMessage(1, LogLevel.Warning, "The setting {Name}={Value} is ignored. {Reason}")]
    private static partial void LogIgnored(ILogger logger, string name, string value, string reason);
}

using Microsoft.Extensions.Logging;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Logs settings of the process that are ignored.</summary>
internal static partial class SettingsLog
{
    public static void WriteIgnored(ILogger logger)
    {
        foreach (InvalidSetting setting in PixelAllocatorOptions.IgnoredSettings)
        {
            LogIgnored(logger, setting.Name, setting.Value, setting.Reason);
        }
    }

    [LoggerMessage(1, LogLevel.Warning, "The setting {Name}={Value} is ignored. {Reason}", EventName = "SettingIgnored")]
    private static partial void LogIgnored(ILogger logger, string name, string value, string reason);
}

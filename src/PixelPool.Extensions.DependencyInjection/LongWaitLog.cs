using Microsoft.Extensions.Logging;
using PixelPool.Diagnostics;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Logs requests of one allocator that have waited long for budget. A warning; an error where nobody can go on.</summary>
internal sealed partial class LongWaitLog(ILogger logger, string allocator)
{
    public void OnLongWait(object? sender, LongWaitEventArgs report) =>
        LogLongWait(logger, report.IsDeadlock ? LogLevel.Error : LogLevel.Warning, allocator, report);

    [LoggerMessage(EventId = 4, EventName = "LongWait", Message = "{Allocator}: {Report}")]
    private static partial void LogLongWait(ILogger logger, LogLevel level, string allocator, LongWaitEventArgs report);
}

using Microsoft.Extensions.Logging;
using PixelPool.Diagnostics;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Logs requests of one allocator that have waited long for budget. A warning; an error where nobody can go on.</summary>
internal sealed partial class LongWaitLog(ILogger logger, string allocator)
{
    public void OnLongWait(object? sender, LongWaitEventArgs report)
    {
        WaitingRent wait = report.Wait;
        string size = ByteSize.Format(wait.Bytes);
        LogLongWait(
            logger, report.IsDeadlock ? LogLevel.Error : LogLevel.Warning, allocator, size, wait.Bytes, wait.Waited.TotalSeconds, Environment.NewLine, report);
    }

    [LoggerMessage(
        EventId = 4,
        EventName = "LongWait",
        Message = "{Allocator}: a request of {Size} ({Bytes:N0} bytes) has waited for {Seconds:0.#} s.{NewLine}{Report}")]
    private static partial void LogLongWait(
        ILogger logger, LogLevel level, string allocator, string size, long bytes, double seconds, string newLine, LongWaitEventArgs report);
}

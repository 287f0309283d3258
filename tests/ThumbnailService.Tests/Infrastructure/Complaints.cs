using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace ThumbnailService.Tests.Infrastructure;

/// <summary>What somebody who runs the service would be worried by: warnings and errors in its log.</summary>
internal sealed class Complaints : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<string> _lines = new();

    public IEnumerable<string> Lines => _lines;

    public ILogger CreateLogger(string categoryName) => this;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
        {
            _lines.Enqueue($"{logLevel}: {formatter(state, exception)} {exception}");
        }
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void Dispose()
    {
    }
}

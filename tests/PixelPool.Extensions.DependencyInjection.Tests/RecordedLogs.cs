using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>Keeps what is logged, as "level category: message", and lets a test wait for it.</summary>
internal sealed class RecordedLogs : ILoggerProvider
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    private readonly ConcurrentQueue<string> _lines = new();
    private readonly BlockingCollection<string> _unread = [];

    public IReadOnlyCollection<string> Lines => _lines;

    /// <summary>The first line that has not been waited for.</summary>
    public string Next()
    {
        Assert.True(_unread.TryTake(out string? line, (int)s_timeLimit.TotalMilliseconds, TestContext.Current.CancellationToken), "nothing was logged");
        return line;
    }

    public ILogger CreateLogger(string categoryName) => new Recorder(categoryName, this);

    public void Dispose()
    {
        // What is logged afterwards is kept, too.
    }

    private void Add(string line)
    {
        _lines.Enqueue(line);
        _unread.Add(line);
    }

    private sealed class Recorder(string category, RecordedLogs logs) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            logs.Add($"{logLevel} {category}: {formatter(state, exception)}");
    }
}

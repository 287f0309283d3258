using System.Diagnostics.Tracing;
using System.Globalization;

namespace Everywhere.Exercise;

/// <summary>The events of the event source "PixelPool", a line each.</summary>
internal sealed class EventLines : EventListener
{
    private readonly List<(string Allocator, string Line)> _lines = [];

    public string[] Lines(string allocator)
    {
        lock (_lines)
        {
            return [.. _lines.Where(line => line.Allocator == allocator).Select(static line => line.Line)];
        }
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "PixelPool")
        {
            EnableEvents(eventSource, EventLevel.Verbose, EventKeywords.All);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        // The base constructor may call before there is a list.
        if (_lines is null || eventData.Payload is not [string allocator, ..] payload)
        {
            return;
        }

        string line = string.Join(' ', payload.Skip(1).Select(static value => Convert.ToString(value, CultureInfo.InvariantCulture)).Prepend(eventData.EventName));
        lock (_lines)
        {
            _lines.Add((allocator, line));
        }
    }
}

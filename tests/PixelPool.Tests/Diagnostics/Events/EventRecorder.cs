using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using PixelPool.Diagnostics;

namespace PixelPool.Tests.Diagnostics.Events;

/// <summary>Listens to the event source of the process and keeps the events whose first value is <paramref name="name"/>: other tests raise some, too.</summary>
internal sealed class EventRecorder(string name) : EventListener
{
    private readonly ConcurrentQueue<RecordedEvent> _events = new();

    /// <summary>The source, also while nobody listens to it.</summary>
    public static PixelPoolEventSource Source => EventSource.GetSources().OfType<PixelPoolEventSource>().Single();

    public RecordedEvent[] Events => [.. _events];

    /// <summary>Events as text, in order.</summary>
    public string[] Lines => [.. _events.Select(recorded => recorded.ToString())];

    public long Sum(string eventName) => _events.Where(recorded => recorded.Name == eventName).Sum(recorded => recorded.Bytes);

    public EventRecorder Enable(EventLevel level = EventLevel.Verbose, EventKeywords keywords = EventKeywords.None)
    {
        PixelPoolEventSource.Make();
        EnableEvents(Source, level, keywords);
        return this;
    }

    public void Disable() => DisableEvents(Source);

    public void Forget() => _events.Clear();

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        // The base class may call before the constructor was here.
        if (eventData.EventSource is PixelPoolEventSource && eventData.Payload is { Count: > 0 } payload && payload[0] as string == name)
        {
            _events.Enqueue(new RecordedEvent(
                eventData.EventId, eventData.EventName!, eventData.Level, eventData.Keywords, [.. eventData.PayloadNames!], [.. payload]));
        }
    }
}

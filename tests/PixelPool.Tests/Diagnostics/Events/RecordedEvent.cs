using System.Diagnostics.Tracing;

namespace PixelPool.Tests.Diagnostics.Events;

/// <summary>One event as a listener got it.</summary>
internal sealed record RecordedEvent(int Id, string Name, EventLevel Level, EventKeywords Keywords, string[] PayloadNames, object?[] Payload)
{
    public long Bytes => (long)Payload[1]!;

    /// <summary>Name, bytes and what follows them, without what is empty: <c>Trimmed 65536 Request</c>.</summary>
    public override string ToString() => string.Join(' ', [Name, .. Payload.Skip(1).Where(static value => value is not "")]);
}
